/** Work in steps, between which the host may do something else. */
export type Steps<A> = Generator<undefined, A>

/** Does it at a stretch. */
export const finish = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
