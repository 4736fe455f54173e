import { describe, isObject, type JSObject, type PropertyKey, type Value } from "../object/index.ts"
import { currentExpression, errorAbout } from "./errors.ts"
import { FrameType } from "./frame.ts"
import type { Machine } from "./machine.ts"
import { textBehind } from "./stack.ts"

// A tool that is not there fails as a call: the program sees what a failed call throws, and the names that are there. So a call
// of what is `undefined` may be one of a function that stands for the tool.

/** The function to call for a callee that is none: a tool that is not there fails as a call. Throws for anything else. */
export const calleeFor = (m: Machine, value: Value, thisValue: Value): JSObject => {
  const text = currentExpression(m)
  if (value === undefined && isObject(thisValue)) {
    const tool = m.builtins.missingTool(m, thisValue, undefined, text)
    if (tool !== undefined) return tool
  }
  const object = text === undefined ? undefined : /^(.+?)\??(?:\.[\p{ID_Continue}$]+|\[[^\]]*\])$/u.exec(text)?.[1]
  throw errorAbout(
    m,
    object === undefined ? value : thisValue,
    object ?? text,
    `${text ?? describe(value)} is not a function`,
  )
}

/** The method of `undefined` where the program meant a tool in a namespace that is not there. */
export const methodOfUndefined = (m: Machine, key: PropertyKey): JSObject | undefined =>
  m.tools === null ? undefined : m.builtins.missingTool(m, undefined, key, currentExpression(m))

/** Further members, and then a call. */
const pathToCall = /^(?:\s*\.\s*[\p{ID_Start}$_][\p{ID_Continue}$]*|\s*\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])+\s*\(/u

/**
 * What stands for a property of undefined where the program goes on to call a tool that is not there, `tools.slack.channels.list()`, so
 * that it fails as a call; undefined for anything else.
 */
export const partOfMissingTool = (m: Machine, key: PropertyKey): JSObject | undefined => {
  const { frame } = m
  if (m.tools === null || frame.type !== FrameType.Guest) return undefined
  if (!pathToCall.test(textBehind(frame.code!.template, frame.pc - 1))) return undefined
  return m.builtins.missingTool(m, undefined, key, currentExpression(m))
}
