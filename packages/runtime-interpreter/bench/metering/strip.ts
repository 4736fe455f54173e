// Makes a copy of the built interpreter that meters nothing: no fuel, no slices, no memory.
import { type AnyNode, type BinaryExpression, parse } from "acorn"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** What a meter's methods are called, wherever they are called. */
const meters = new Set(["charge", "allocate", "touch"])

/** The one property of this name that has nothing to do with steps: it bounds the number of shapes. */
const other = "object/shape.js"

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

const visit = (node: AnyNode, see: (node: AnyNode) => boolean): void => {
  if (!see(node)) return
  for (const value of Object.values(node)) {
    if (isNode(value)) visit(value, see)
    else if (Array.isArray(value)) { for (const part of value) if (isNode(part)) visit(part, see) }
  }
}

/** Whether an expression is the budget of steps: the machine's, or that of a match. */
const isBudget = (node: AnyNode): boolean =>
  (node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "budget") ||
  (node.type === "Identifier" && node.name === "budget")

/** Whether it counts down the budget, or is the budget after that. */
const isCountdown = (node: AnyNode): boolean =>
  (node.type === "AssignmentExpression" && node.operator === "-=" && isBudget(node.left)) ||
  (node.type === "UpdateExpression" && node.operator === "--" && isBudget(node.argument))

const isLook = ({ left, operator, right }: BinaryExpression): boolean =>
  (operator === "<" || operator === ">=") && right.type === "Literal" && right.value === 0 &&
  left.type !== "PrivateIdentifier" && (isBudget(left) || isCountdown(left))

/** Takes the meters out of a module's text. Gives the new text, and how many places were changed. */
export const strip = (code: string): { readonly code: string; readonly changes: number } => {
  const changes: Array<Change> = []
  const replace = ({ end, start }: AnyNode, text: string): false => {
    changes.push({ start, end, text })
    return false
  }
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    switch (node.type) {
      case "BinaryExpression":
        return isLook(node) ? replace(node, String(node.operator === ">=")) : true
      case "CallExpression": {
        const { callee } = node
        return callee.type === "MemberExpression" && callee.property.type === "Identifier" &&
            meters.has(callee.property.name)
          ? replace(node, "void 0")
          : true
      }
      case "ExpressionStatement":
        return isCountdown(node.expression) ? replace(node, ";") : true
      default:
        return true
    }
  })
  let stripped = code
  for (const { end, start, text } of changes.toReversed()) {
    stripped = stripped.slice(0, start) + text + stripped.slice(end)
  }
  return { code: stripped, changes: changes.length }
}

/** Copies a built package to another folder, and takes the meters out of its engine. Gives how many places were changed. */
export const copyWithoutMeters = (from: string, to: string): number => {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  const engine = join(to, "engine")
  let total = 0
  for (const path of readdirSync(engine, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".js") || path.replaceAll("\\", "/") === other) continue
    const { changes, code } = strip(readFileSync(join(engine, path), "utf8"))
    total += changes
    if (changes > 0) writeFileSync(join(engine, path), code)
  }
  return total
}
