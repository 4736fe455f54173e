import { type Call, call as callRequest, type Steps, Throw, type Value } from "../object/index.ts"
import { resumeAwait, returnSettled } from "./coroutines.ts"
import { Frame, FrameType } from "./frame.ts"
import type { Machine } from "./machine.ts"
import { createResolvingFunctions, type Job, rejectCapability, resolveCapability } from "./promise.ts"

/** What a job takes beside its calls, in steps. */
export const JOB_STEPS = 4

/** So many jobs are done before the list lets go of them. */
const DONE = 1024

/** Jobs in the order in which they are to be done. */
export class JobQueue {
  /** Those that wait, and before them some that are done. */
  list: Array<Job> = []
  private next = 0

  add(job: Job): void {
    this.list.push(job)
  }

  /** The next job, if there is one. */
  take(): Job | undefined {
    const job = this.list[this.next]
    if (job === undefined) this.list.length = this.next = 0
    else if (++this.next > DONE) {
      this.list = this.list.slice(this.next)
      this.next = 0
    }
    return job
  }
}

/** Has the machine go on with a job: a function that waited for a promise is on top then, or what makes the job's calls. */
export const startJob = (m: Machine, job: Job): void => {
  if (job.type === "reaction") {
    const { frame } = job.reaction
    if (frame instanceof Frame) return resumeAwait(m, frame, job.rejected, job.value)
    if (frame !== null) return returnSettled(m, frame, job.rejected, job.value)
  }
  const frame = new Frame(FrameType.Native, null, [], null, undefined, undefined)
  frame.native = new JobSteps(m, job)
  m.push(frame)
}

/** What a job that calls something does. Plain data, so that the meter sees what waits for its end. */
class JobSteps implements Steps {
  readonly #m: Machine
  private begun = false

  constructor(m: Machine, private readonly job: Job) {
    this.#m = m
  }

  next(value: Value): IteratorResult<Call, Value> {
    if (this.begun) return this.end(value, false)
    this.begun = true
    const { job } = this
    switch (job.type) {
      case "callback":
        return { done: false, value: callRequest(job.fn, undefined, job.args) }
      case "thenable": {
        const { reject, resolve } = createResolvingFunctions(this.#m, job.promise)
        this.reject = reject
        return { done: false, value: callRequest(job.then, job.thenable, [resolve, reject]) }
      }
      case "reaction": {
        const { onFulfilled, onRejected } = job.reaction
        const handler = job.rejected ? onRejected : onFulfilled
        return handler === undefined
          ? this.end(job.value, job.rejected)
          : { done: false, value: callRequest(handler, undefined, [job.value]) }
      }
    }
  }

  throw(error: unknown): IteratorResult<Call, Value> {
    if (!(error instanceof Throw) || this.job.type === "callback") throw error
    return this.end(error.value, true)
  }

  /** The call gave a value, or threw it. */
  private end(value: Value, threw: boolean): IteratorResult<Call, Value> {
    const { job } = this
    const done = { done: true, value: undefined } as const
    if (job.type === "callback") return { done: true, value }
    if (job.type === "thenable") {
      if (threw) this.#m.call(this.reject, undefined, [value])
      return done
    }
    const { capability } = job.reaction
    if (capability === undefined) return done
    if (threw) rejectCapability(this.#m, capability, value)
    else resolveCapability(this.#m, capability, value)
    return done
  }

  /** What rejects the promise of a thenable. */
  private reject: Value = undefined
}
