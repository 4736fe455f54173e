import { type ChildProcess, fork } from "node:child_process"
import type { Order, Report } from "./worker.ts"

/** How long a case may take, in milliseconds: far longer than any run has. */
const PATIENCE = 400_000

/** A process for hostile programs, opened anew if they end it. */
export class Child {
  private process: ChildProcess | undefined

  /** Has the process do something. Gives a text if it ended, or did not come to an end. */
  ask(order: Order): Promise<Report | string> {
    const child = this.process ??= this.open()
    return new Promise((resolve) => {
      const finish = (result: Report | string) => {
        clearTimeout(timer)
        child.removeAllListeners()
        if (typeof result === "string") this.close()
        resolve(result)
      }
      const timer = setTimeout(() => finish("held the process"), PATIENCE)
      child.on("message", (report: Report) => finish(report))
      child.on("exit", (code, signal) => finish(`ended the process (${code ?? signal})`))
      child.send(order)
    })
  }

  close(): void {
    this.process?.kill("SIGKILL")
    this.process = undefined
  }

  private open(): ChildProcess {
    return fork(new URL("worker.js", import.meta.url), { execArgv: ["--expose-gc"] })
  }
}
