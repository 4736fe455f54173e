// What a model is told beside the error itself: what to write instead.
export { accessOf, type Failure, hintFor } from "./hints.ts"
