import { describe, expect, it } from "vitest"
import { type Failure, hintFor } from "../../src/engine/diagnostics/index.ts"

const tools = ["github.list_issues", "weather", "mail.send-now"]

describe("hintFor", () => {
  it.each<[string, Omit<Failure, "name"> & { readonly name?: string }, string]>([
    ["a call not awaited, read", {
      message: "Cannot read properties of undefined (reading 'map')",
      expression: "issues.items",
      value: "undefined",
      notAwaited: "tools.github.list_issues",
    }, "await tools.github.list_issues"],
    ["a call not awaited, iterated", { message: "issues is not iterable", notAwaited: "tools.a" }, "await tools.a"],
    ["a call not awaited, returned", {
      code: "INVALID_DATA",
      message: "result.items is a promise",
      notAwaited: "tools.a",
    }, "await tools.a"],
    ["a promise", { message: "x.map is not a function", expression: "x", value: "promise" }, "`x` is a promise"],
    ["JSON.parse of an object", { message: "\"[object Object]\" is not valid JSON" }, "data already"],
    ["JSON.parse of nothing", { message: "\"undefined\" is not valid JSON" }, "`undefined`"],
    ["JSON.parse of prose", { message: "Unexpected token 'H', \"Hello\" is not valid JSON" }, "not JSON"],
    ["text taken for an object", { message: "x.map is not a function", expression: "x", value: "string" }, "text"],
    ["a property of text", { message: "Cannot create property 'a' on string 'abc'" }, "text"],
    [
      "an object taken for a list",
      { message: "r.map is not a function", expression: "r", value: "object" },
      "an object",
    ],
    ["an object iterated", { message: "r is not iterable", expression: "r", value: "object" }, "Object.entries"],
    ["an unknown tool", { message: "tools.github.list is not a function" }, "no tool `tools.github.list`"],
    ["an unknown namespace", {
      message: "Cannot read properties of undefined (reading 'list')",
      expression: "tools.gitlab",
      value: "undefined",
    }, "nothing at `tools.gitlab`"],
    ["a wrong parameter", { code: "INVALID_TOOL_INPUT", message: "Expected string at [\"q\"]" }, "signature"],
    ["require", { message: "require is not defined" }, "no `require`"],
    ["fetch", { message: "fetch is not defined" }, "no `fetch`"],
    ["fs", { message: "fs is not defined" }, "no `fs`"],
    ["process", { message: "process is not defined" }, "no `process`"],
    ["a tool outside tools", { message: "github is not defined", tools }, "await tools.github.list_issues(input)"],
    ["a tool's own name", { message: "weather is not defined", tools }, "await tools.weather(input)"],
    [
      "the end of a tool's name",
      { message: "list_issues is not defined", tools },
      "await tools.github.list_issues(input)",
    ],
    ["an undeclared variable", { message: "rows is not defined", tools }, "Declare `rows`"],
    ["Python's None", { message: "None is not defined" }, "null"],
    ["a use before declaration", { message: "Cannot access 'x' before initialization" }, "above its use"],
    ["a constant assigned twice", { message: "Assignment to constant variable." }, "let"],
    ["a function returned", { code: "INVALID_DATA", message: "result.load is a function" }, "Call the function"],
    ["a cycle", { code: "INVALID_DATA", message: "result.parent is a cycle" }, "without the way back"],
    ["too large a result", { code: "RESULT_TOO_LARGE", message: "The result has 80000 characters" }, "Return less"],
    ["a pattern that does not parse", {
      message: "Invalid regular expression: /a(/: Unterminated group",
    }, "escaped"],
    ["a missing property", {
      message: "Cannot read properties of undefined (reading 'id')",
      expression: "issue.user",
      value: "undefined",
    }, "issue.user?.id"],
    ["an odd key", { message: "Cannot read properties of null (reading 'a-b')", expression: "x" }, "x?.[\"a-b\"]"],
    ["a frozen value", { message: "Cannot assign to read only property 'a' of object '#<Object>'" }, "copy"],
    ["endless recursion", { message: "Maximum call stack size exceeded" }, "without end"],
    ["no fuel", { code: "EXECUTION_BUDGET_EXCEEDED", message: "out of fuel" }, "loop"],
  ])("%s", (_, failure, hint) => {
    expect(hintFor({ name: "Error", ...failure })).toContain(hint)
  })

  it.each([
    "Something that a program threw",
    "",
    "Expected 3 but got 4",
  ])("says nothing of %j", (message) => {
    expect(hintFor({ name: "Error", message })).toBeUndefined()
  })

  it("says nothing where the toolkit's message says it", () => {
    const message = "There is no tool \"x\". Nearest: weather."
    expect(hintFor({ name: "Error", code: "UNKNOWN_TOOL", message })).toBeUndefined()
  })
})
