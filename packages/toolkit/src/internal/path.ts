const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

/** Writes a property name as JavaScript has it in a literal: as it is, or quoted. */
export const propertyName = (name: string): string => identifier.test(name) ? name : JSON.stringify(name)

/** Writes the expression that reaches a tool, to be pasted as it is: `tools.context7["resolve-library-id"]`. */
export const toolPath = (tool: string): string =>
  tool.split(".").reduce(
    (path, segment) => identifier.test(segment) ? `${path}.${segment}` : `${path}[${JSON.stringify(segment)}]`,
    "tools",
  )
