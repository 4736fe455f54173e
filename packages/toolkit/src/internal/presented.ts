import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Catalog from "../Catalog.ts"
import { defect } from "./defect.ts"
import * as Nearest from "./nearest.ts"
import { providerPrefix } from "./provider-prefix.ts"

/** A toolkit with handlers whose tools are not known by type. One of an assembly tells which of its members are not there. */
export interface AnyToolkit extends Toolkit.WithHandler<Record<string, Tool.Any>> {
  readonly unavailable?: ReadonlyArray<{ readonly member: string }>
}

/**
 * Why a tool stands beside `execute`: a person may be asked, the provider runs it, or the host wants it there.
 */
export type Beside = "approval" | "provider" | "direct"

/** The presented tools, told apart: those that code calls, and those that stay tools of their own. */
export interface Presented {
  readonly handle: AnyToolkit["handle"]
  /** By callable name, which is the presented one unless namespaces are given to tools. */
  readonly callable: ReadonlyMap<string, { readonly name: string; readonly tool: Tool.Any }>
  /** By the name they would be called with from code, too. */
  readonly beside: ReadonlyMap<string, { readonly name: string; readonly tool: Tool.Any; readonly reason: Beside }>
  /** The same by their presented names. */
  readonly besideByName: Presented["beside"]
  readonly nearest: Nearest.Nearest
  /** Namespaces whose tools cannot be called now, as an assembly tells them. */
  readonly unavailable: ReadonlyArray<string>
}

/**
 * Tells the tools apart. Calls nothing. What cannot work is a defect now, not a surprise in the middle of a session.
 *
 * - `own`: the name of our tool.
 * - `direct`: the names that the host wants beside it, presented or callable.
 * - `names`: how tools get their callable names.
 */
export const make = (
  toolkit: AnyToolkit,
  own: string,
  direct: ReadonlyArray<string>,
  names: Catalog.NameOptions = {},
): Effect.Effect<Presented> =>
  Effect.suspend(() => {
    const callable = new Map<string, { readonly name: string; readonly tool: Tool.Any }>()
    const beside = new Map<string, { readonly name: string; readonly tool: Tool.Any; readonly reason: Beside }>()
    const nameOf = Catalog.nameOf(names)
    for (const [name, tool] of Object.entries(toolkit.tools)) {
      if (name === own || tool.name === own) {
        return defect(
          `The presented toolkit has a tool named "${own}", which is the name of the tool that runs code. ` +
            `Give the latter another name with the option \`name\`, as in CodeMode.toolkit(presented, runtime, { name: "run_code" }).`,
        )
      }
      const path = nameOf(name, tool)
      if (path === "$codemode" || path.startsWith("$codemode.")) {
        return defect(`The presented toolkit has a tool named "${path}". The namespace "$codemode" is reserved.`)
      }
      const same = callable.get(path) ?? beside.get(path)
      if (same !== undefined) {
        return defect(
          `The presented toolkit has two tools that code would call by the same name "${path}": "${same.name}" and "${name}".`,
        )
      }
      const reason = besideReason(tool, direct.includes(name) || direct.includes(path))
      if (reason === undefined) callable.set(path, { name, tool })
      else beside.set(path, { name, tool, reason })
    }
    const besideByName = new Map(Array.from(beside.values(), (own) => [own.name, own]))
    const unavailable = (toolkit.unavailable ?? []).map(({ member }) => member)
    // A tool of a member that is not there now may be named all the same: it comes back with its member.
    const absent = direct.find((name) =>
      !besideByName.has(name) && !beside.has(name) &&
      !unavailable.some((member) => name.startsWith(`${member}.`) || name.startsWith(providerPrefix(member)))
    )
    if (absent !== undefined) {
      return defect(
        `The option \`direct\` names the tool "${absent}", which the presented toolkit does not have. It has: ${
          Object.keys(toolkit.tools).join(", ") || "no tools"
        }.`,
      )
    }
    return Effect.succeed<Presented>({
      handle: toolkit.handle,
      callable,
      beside,
      besideByName,
      nearest: Nearest.make(Array.from(callable.keys())),
      unavailable,
    })
  })

const besideReason = (tool: Tool.Any, direct: boolean): Beside | undefined => {
  if (Tool.isProviderDefined(tool)) return "provider"
  if (tool.needsApproval === true || typeof tool.needsApproval === "function") return "approval"
  return direct ? "direct" : undefined
}
