import type { Json } from "../boundary/index.ts"
import type { ToolFailure } from "../machine/error-data.ts"
import { Halt } from "../machine/halt.ts"
import type { Host, LogLevel } from "../machine/host.ts"
import type { Machine } from "../machine/machine.ts"
import type { MachineOptions } from "../machine/options.ts"
import { type PromiseData, PromiseState } from "../machine/promise.ts"
import { guestFrames, placeOf } from "../machine/stack.ts"
import type { Location } from "../parse/index.ts"
import { count } from "./count.ts"
import { placeOfCall } from "./failed-call.ts"
import * as Failure from "./failure.ts"
import { defineGlobals } from "./globals.ts"
import { Logs } from "./logs.ts"
import { convertResult, type RunState, startProgram } from "./natives.ts"
import type { Program } from "./program.ts"
import { type Settled, takeIn } from "./results.ts"
import type { RunOptions } from "./run-options.ts"
import { Timers } from "./timers.ts"
import { defineTools } from "./tools.ts"
import { type Call, Turns } from "./turns.ts"
import { isAnythingWanted } from "./wanted.ts"

/** What a run came to. */
export type Outcome =
  | { readonly type: "returned"; readonly value: Json }
  | { readonly type: "failed"; readonly failure: Failure.Failure }

/** What a slice of a run ended with: more to do now, a wait for a call or a timer, or the outcome. */
export type Progress = "running" | "waiting" | Outcome

/** How far a run is. */
const enum Phase {
  /** The program has no value yet. */
  Running,
  /** Its value is being made the host's. */
  Converting,
  /** Its value is there, and the run goes on for what else was started. */
  Lingering,
}

/** One run of a program on a machine of its own. Nothing of it is shared with other runs. */
export class Run {
  readonly machine: Machine
  private readonly log: Logs
  private readonly options: RunOptions
  private readonly state: RunState
  private readonly inbox: Array<Settled> = []
  private inboxNext = 0
  private callsStarted = 0
  private readonly turns: Turns
  private readonly timers = new Timers()
  /** When the host will call `alarm`. */
  private alarmAt = Infinity
  /** Timers up to this time are due. */
  private timersUntil = -Infinity
  private phase: Phase = Phase.Running
  /** Whether the program may have changed its value since it was converted. */
  private wentOn = false
  private result: Json = null
  private outcome: Outcome | null = null

  constructor(
    makeMachine: (options: Omit<MachineOptions, "builtins">) => Machine,
    program: Program,
    options: RunOptions,
  ) {
    const { limits } = options
    this.options = options
    this.turns = new Turns(limits.concurrentCalls, options.host)
    this.log = new Logs(limits.logLines, limits.logLength, options.host.log)
    const m = this.machine = makeMachine({
      host: this.machineHost(),
      fuel: limits.fuel,
      memory: limits.memory,
      callDepth: limits.callDepth,
      stringLength: limits.stringLength,
      bigintBits: limits.bigintBits,
      ...options.locale === undefined ? undefined : { locale: options.locale },
      ...options.timeZone === undefined ? undefined : { timeZone: options.timeZone },
    })
    const toData = { maxDepth: limits.dataDepth, maxSize: limits.memory }
    this.state = {
      template: program.template,
      isFunction: program.form.kind === "function",
      toData,
      main: null,
      converted: null,
    }
    defineTools(m, options.tools, toData)
    if (options.globals !== undefined) defineGlobals(m, options.globals)
    m.enqueue({ type: "callback", fn: m.realm.newNative(startProgram, this.state), args: [] })
  }

  private machineHost(): Host {
    const { host } = this.options
    return {
      now: host.now,
      monotonic: host.monotonic,
      ...host.elapsed === undefined ? undefined : { elapsed: host.elapsed },
      random: host.random,
      setTimer: (id, delay) => {
        const due = host.monotonic() + delay
        this.timers.add(id, due)
        if (due < this.alarmAt) this.setAlarm(due)
      },
      clearTimer: (id) => this.timers.remove(id),
      log: (_level: LogLevel, text: string) => {
        this.machine.charge(100)
        this.log.add(text)
      },
      startCall: (id, tool, input) => this.startCall({ id, tool, input: input as Call["input"] }),
    }
  }

  /** What was logged so far. */
  get logs(): ReadonlyArray<string> {
    return this.log.lines
  }

  /** Steps used so far. */
  get fuelUsed(): number {
    return this.machine.fuelUsed
  }

  /**
   * The most live memory that was seen, in bytes. A program that never took so much that its memory was looked at is told by what it
   * took in all.
   */
  get peakMemory(): number {
    return this.machine.peakMemory > 0 ? this.machine.peakMemory : this.machine.allocated
  }

  /** Where the program is: in its code, or at the first of the calls that it waits for. */
  get location(): Location | undefined {
    const m = this.machine
    // Where it would go on.
    for (const { code, pc } of guestFrames(m.frame)) return Failure.locationOf(placeOf(code!.template, pc))
    for (const promise of m.calls.values()) return Failure.locationOf(placeOfCall((promise.data as PromiseData).call!))
    return undefined
  }

  /**
   * Runs for about so many steps. Never blocks, and throws only for a defect of the engine. After an outcome it gives the same one
   * again.
   */
  advance(steps: number): Progress {
    if (this.outcome !== null) return this.outcome
    const m = this.machine
    const end = m.fuelUsed + steps
    try {
      for (let left = steps; left > 0; left = end - m.fuelUsed) {
        const progress = m.advance(left)
        const { tools } = this.options
        if (m.uncaught !== null) return this.fail(Failure.uncaught(m, m.uncaught.reason, tools))
        const { main } = this.state
        if (main !== null && (main.data as PromiseData).state === PromiseState.Rejected) {
          return this.fail(Failure.uncaught(m, (main.data as PromiseData).value, tools))
        }
        if (progress === "running") return "running"
        if (!this.next()) return this.outcome ?? "waiting"
      }
      return "running"
    } catch (error) {
      if (error instanceof Halt) return this.fail(Failure.halted(m, error.reason, this.options.limits))
      throw error
    }
  }

  /** The machine has nothing to do: gives it something. False if there is nothing, now or at all. */
  private next(): boolean {
    const m = this.machine
    switch (this.phase) {
      case Phase.Running:
        if ((this.state.main!.data as PromiseData).state === PromiseState.Fulfilled) return this.convert()
        break
      case Phase.Converting:
        if (!this.takeResult()) return false
        this.phase = Phase.Lingering
    }
    if (this.takeIn() || this.fireTimer()) return true
    if (this.phase === Phase.Running) {
      if (m.calls.size === 0 && m.timers.size === 0) this.fail(Failure.stuck())
      return false
    }
    if (isAnythingWanted(m)) {
      this.wentOn = true
      return false
    }
    // What it waited for may have changed the value that the program gave.
    if (this.wentOn) {
      this.wentOn = false
      return this.convert()
    }
    const [rejection] = m.rejections
    if (rejection === undefined) this.end({ type: "returned", value: this.result })
    else this.fail(Failure.unhandled(m, rejection, this.options.tools))
    return false
  }

  /** Has the value of the program made the host's. */
  private convert(): true {
    const m = this.machine
    const { state } = this
    this.phase = Phase.Converting
    const { value } = state.main!.data as PromiseData
    if (value === undefined || value === null || typeof value === "boolean") state.converted = { json: value ?? null }
    else {
      state.converted = null
      m.enqueue({ type: "callback", fn: m.realm.newNative(convertResult, state), args: [] })
    }
    return true
  }

  /** Takes the converted value. False if it cannot leave the program, which ends the run. */
  private takeResult(): boolean {
    const converted = this.state.converted!
    const { tools } = this.options
    if ("json" in converted) this.result = converted.json
    else if ("error" in converted) this.fail(Failure.uncrossable(converted.error, tools))
    else this.fail(Failure.uncaught(this.machine, converted.thrown, tools))
    return this.outcome === null
  }

  private fail(failure: Failure.Failure): Outcome {
    return this.end({ type: "failed", failure })
  }

  private end(outcome: Outcome): Outcome {
    this.log.close()
    this.turns.end()
    return this.outcome = outcome
  }

  // Calls

  private startCall(call: Call): void {
    const { toolCalls } = this.options.limits
    if (++this.callsStarted > toolCalls) {
      const message = `The program started more than ${count(toolCalls)} tool calls.`
      this.inbox.push({ id: call.id, failed: true, value: { code: "LIMIT_EXCEEDED", message, retryable: true } })
    } else this.turns.start(call)
  }

  /** The host tells what a call gave. */
  settleCall(id: number, value: unknown): void {
    this.inbox.push({ id, failed: false, value })
    this.turns.giveUp(id)
  }

  /** The host tells why a call failed. */
  failCall(id: number, failure: Omit<ToolFailure, "tool">): void {
    this.inbox.push({ id, failed: true, value: failure })
    this.turns.giveUp(id)
  }

  /** A call waits for something that is not the program's, and takes no turn from the others until it goes on. */
  stepAside(id: number): void {
    this.turns.stepAside(id)
  }

  /** A call that stepped aside is to go on: `resume` is called when there is a turn, at once or later. */
  goOn(id: number, resume: () => void): void {
    this.turns.goOn(id, resume)
  }

  /** Takes in the end of one call, if there is one. */
  private takeIn(): boolean {
    const settled = this.inbox[this.inboxNext]
    if (settled === undefined) return false
    if (++this.inboxNext === this.inbox.length) this.inbox.length = this.inboxNext = 0
    takeIn(this.machine, settled, this.state.toData)
    return true
  }

  // Timers

  private setAlarm(due: number): void {
    this.alarmAt = due
    this.options.host.setAlarm(Math.max(0, Math.ceil(due - this.options.host.monotonic())))
  }

  /** The host tells that the time has come that it was asked for. */
  alarm(): void {
    // Hosts' own timers are not exact: what they say counts.
    this.timersUntil = Math.max(this.timersUntil, this.alarmAt)
    this.alarmAt = Infinity
  }

  /** Has the machine run the callback of one timer that is due. */
  private fireTimer(): boolean {
    const id = this.timers.take(this.timersUntil)
    if (id !== undefined) {
      this.machine.fireTimer(id)
      return true
    }
    const { next } = this.timers
    if (next !== undefined && next < this.alarmAt) this.setAlarm(next)
    return false
  }
}
