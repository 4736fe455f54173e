/** How all runs of a process share its event loop: together they hold it no longer than a slice before others have their turn. */
import { elapsed, macrotask } from "./host.ts"

/** A run that has work to do. */
export interface Worker {
  /** Works for at most so many milliseconds. Says whether there is more to do now. */
  work(milliseconds: number): boolean
  /** Milliseconds it may hold the loop at a stretch. */
  readonly slice: number
}

/** Milliseconds that runs have held the loop since it last turned. */
let held = 0
let turning = false

/** Runs that go on in the next turns, those that waited longest first. */
const queue: Array<Worker> = []

const turned = (): void => {
  turning = false
  held = 0
}

/** Lets a run work at once, if there is time in this turn; else, and for what is left to do, in the next ones. */
export const work = (worker: Worker): void => {
  if (held < worker.slice && queue.length === 0) {
    if (!timed(worker)) return
  }
  queue.push(worker)
  later(worker)
}

const timed = (worker: Worker): boolean => {
  if (!turning) {
    // Set before the run's own, so that the count begins anew before the run goes on.
    turning = true
    macrotask(turned)
  }
  const start = elapsed()
  const more = worker.work(worker.slice - held)
  held += elapsed() - start
  return more
}

// Each run has a task of its own, made where it waits, so that what a host keeps along asynchronous calls stays its own.
const later = (worker: Worker): void =>
  macrotask(() => {
    if (queue[0] !== worker || held >= worker.slice) return later(worker)
    queue.shift()
    if (!timed(worker)) return
    queue.push(worker)
    later(worker)
  })

/** Does work in steps, in the turns that it has as runs have them, and gives what comes of it. */
export const inTurns = <A>(steps: Iterator<unknown, A>, slice: number): Promise<A> =>
  new Promise((resolve, reject) => {
    work({
      slice,
      work: (milliseconds) => {
        const start = elapsed()
        try {
          for (;;) {
            const step = steps.next()
            if (step.done === true) {
              resolve(step.value)
              return false
            }
            if (elapsed() - start >= milliseconds) return true
          }
        } catch (error) {
          reject(error)
          return false
        }
      },
    })
  })
