/** What every host of JavaScript has, and the language's own types do not name. */
interface Globals {
  readonly performance: { readonly now: () => number }
  readonly setTimeout: (task: () => void, delay: number) => unknown
  readonly setImmediate?: (task: () => void) => unknown
  readonly MessageChannel?: new() => {
    readonly port1: { onmessage: ((event: unknown) => void) | null }
    readonly port2: { readonly postMessage: (message: unknown) => void }
  }
  readonly queueMicrotask: (task: () => void) => void
}

const host = globalThis as unknown as Globals

/** Real time, in milliseconds with fractions, from an arbitrary start. */
export const elapsed = (): number => host.performance.now()

/** Runs a task after the promise jobs that wait now. */
export const microtask = (task: () => void): void => host.queueMicrotask(task)

const channelTask = (Channel: NonNullable<Globals["MessageChannel"]>): (task: () => void) => void => {
  const tasks: Array<() => void> = []
  const { port1, port2 } = new Channel()
  port1.onmessage = () => tasks.shift()?.()
  return (task) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}

const choose = (): (task: () => void) => void => {
  const { setImmediate } = host
  if (setImmediate !== undefined) return (task) => void setImmediate(task)
  // Not looked at where it is not needed: Node loads a part of itself for it.
  const { MessageChannel, setTimeout } = host
  // Browsers hold timers back that follow each other.
  if (MessageChannel !== undefined) return channelTask(MessageChannel)
  return (task) => void setTimeout(task, 0)
}

let chosen: ((task: () => void) => void) | undefined

/** Runs a task in a later turn of the event loop: timers and input that are due come before it. */
export const macrotask = (task: () => void): void => (chosen ??= choose())(task)
