import { runInThisContext } from "node:vm"

/** The value of a function's body in the host's own engine, which is the oracle for what a program should give. */
export const inHost = (body: string): unknown => runInThisContext(`(() => { "use strict"; ${body} })()`)
