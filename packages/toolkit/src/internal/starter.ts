import type * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"

/**
 * Has what a call forks first begin at once where the call asks for it, rather than when the event loop has turned: a toolkit's `handle`
 * forks the handler, and a handler that answers at once then has answered before anyone waits. It is for one call at a time; all that it
 * is not asked for goes the usual way, in its turn.
 */
export class Starter implements Scheduler.Scheduler {
  readonly executionMode: "sync" | "async"
  /** The same function, not one around it: it is called for each step of a fiber. */
  readonly shouldYield = Scheduler.MixedScheduler.prototype.shouldYield
  private readonly dispatcher: StartDispatcher
  private isTaken = true

  /** For calls under a scheduler. None where a host has one of its own, which is to decide when something begins. */
  static under(scheduler: Scheduler.Scheduler): Starter | undefined {
    const around = scheduler instanceof Starter ? scheduler.around : scheduler
    return around instanceof Scheduler.MixedScheduler && around.constructor === Scheduler.MixedScheduler
      ? new Starter(around)
      : undefined
  }

  /** That of the call which a fiber makes, if it has one. */
  static of(fiber: Fiber.Fiber<unknown, unknown>): Starter | undefined {
    const { scheduler } = fiber.cache
    return scheduler instanceof Starter ? scheduler : undefined
  }

  private constructor(private readonly around: Scheduler.MixedScheduler) {
    this.executionMode = around.executionMode
    this.dispatcher = new StartDispatcher(around)
  }

  /** A call is made. */
  open(): void {
    this.isTaken = false
  }

  /** What the call has forked begins. */
  start(): void {
    this.isTaken = true
    this.dispatcher.run()
  }

  // The fiber of the call is the first to ask.
  makeDispatcher(): Scheduler.SchedulerDispatcher {
    if (this.isTaken) return this.around.makeDispatcher()
    this.isTaken = true
    return this.dispatcher
  }
}

/** Keeps tasks until they are asked for, or it is their turn. */
class StartDispatcher implements Scheduler.SchedulerDispatcher {
  private usual: Scheduler.SchedulerDispatcher | undefined
  private tasks: Array<() => void> = []
  private isScheduled = false

  constructor(private readonly around: Scheduler.MixedScheduler) {}

  scheduleTask(task: () => void, priority: number): void {
    this.usual ??= this.around.makeDispatcher()
    if (priority !== 0) return this.usual.scheduleTask(task, priority)
    this.tasks.push(task)
    if (this.isScheduled) return
    this.isScheduled = true
    this.usual.scheduleTask(this.turn, 0)
  }

  private readonly turn = (): void => {
    this.isScheduled = false
    this.run()
  }

  /** Runs the tasks that wait now, but not those that come up meanwhile. */
  run(): void {
    const { tasks } = this
    if (tasks.length === 1) tasks.pop()!()
    else if (tasks.length > 1) { for (const task of tasks.splice(0)) task() }
  }

  flush(): void {
    while (this.tasks.length > 0) this.run()
    this.usual?.flush()
  }
}
