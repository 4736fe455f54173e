import type { Host } from "./host.ts"
export const make = (): Host => {
  throw new Error("no engine yet")
}
