// What the runner needs of a JavaScript engine. Each engine has one adapter, and nothing else here knows it.

/** How a program ended. */
export type Completion =
  | { readonly type: "normal" }
  /** It did not compile: an early error. */
  | { readonly type: "early"; readonly name: string; readonly message: string }
  /** It threw. `name` is the name of the error's constructor. */
  | { readonly type: "throw"; readonly name: string; readonly message: string }
  /** The engine stopped it. */
  | { readonly type: "halt"; readonly reason: string }

/** How a program ended, and what it passed to `print`. */
export interface Report {
  readonly completion: Completion
  readonly printed: ReadonlyArray<string>
}

/** An engine under test. Each program gets a realm of its own. */
export interface Host {
  /** Defines `$262` in a program that mentions it; empty if the realm has one. */
  readonly preamble: string
  /** Compiles a script, without running it. */
  readonly compile: (source: string) => Completion
  /** Runs the harness, the test after it in the same realm, and then their jobs, until nothing is left to do. */
  readonly run: (harness: string, test: string) => Report
}

/** `$262` for an engine without one: transferring a buffer detaches it, which is all that the tests need a host for. */
export const preamble = `var $262 = (function (transfer) {
  return {
    global: globalThis,
    gc: function () {},
    detachArrayBuffer: function (buffer) { if (!buffer.detached) transfer.call(buffer); return null; }
  };
})(ArrayBuffer.prototype.transfer);
`

/** Milliseconds that one program may take in an engine that is stopped by the clock. */
export const timeLimit = 10_000

const hosts = {
  ours: () => import("./host-ours.ts"),
  quickjs: () => import("./host-quickjs.ts"),
  node: () => import("./host-node.ts"),
}

/** The engines that the suite can be run in: ours, and two peers to compare with. */
export type Engine = keyof typeof hosts

/** Whether there is an adapter of that name. */
export const isEngine = (name: string): name is Engine => Object.hasOwn(hosts, name)

/** The names of the engines. */
export const engines = Object.keys(hosts)

/** Loads an engine and its adapter. */
export const load = async (engine: Engine): Promise<Host> => (await hosts[engine]()).make()
