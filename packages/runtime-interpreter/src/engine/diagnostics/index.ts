// What a model is told beside the error itself: what to write instead.
export { insteadOf } from "./absent.ts"
export { accessOf, type Failure, hintFor } from "./hints.ts"
