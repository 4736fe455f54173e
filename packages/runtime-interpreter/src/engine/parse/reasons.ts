import * as acorn from "acorn"
import type { DestructuringErrors, Node } from "./acorn.ts"
import { Problem, type Token } from "./diagnostics.ts"
import { reword } from "./messages.ts"
import { noModules, tooDeep, unsupported } from "./refusals.ts"
import { ScopeParser } from "./scopes.ts"

const tt = acorn.tokTypes

/** Says why a text does not parse, in the words of V8 where it has some, and stops there. */
export class ReasonParser extends ScopeParser {
  override raise(offset: number, message: string): never {
    if (message === "Not enough stack space to parse input") throw tooDeep(offset)
    if (message === "'with' in strict mode") {
      throw unsupported(offset, "Programs run in strict mode, which has no `with`.", "Read the properties by name.")
    }
    if (message.startsWith("'import' and 'export' may")) this.refuseModules(offset)
    const reworded = this.#octal(offset, message) ?? reword(message)
    const token = message.startsWith("Unterminated") ? undefined : this.#token(offset)
    throw new Problem("SYNTAX_ERROR", offset - this.#behind(offset, message), reworded, token)
  }

  override raiseRecoverable(offset: number, message: string): never {
    this.raise(offset, message)
  }

  override unexpected(offset: number = this.start): never {
    const token = this.#token(offset)
    throw new Problem("SYNTAX_ERROR", offset, this.#describe(token), token)
  }

  // Where acorn has read the first character of what it then finds wrong.
  #behind(offset: number, message: string): number {
    const first = this.input[offset - 1]
    return (first === "/" && message.includes("egular expression")) ||
        (first === "`" && message.startsWith("Unterminated template")) ||
        (first === "#" && message.startsWith("Unexpected character"))
      ? 1
      : 0
  }

  #octal(offset: number, message: string): string | undefined {
    if (message !== "Invalid number" || !/^0\d/.test(this.input.slice(offset, offset + 2))) return undefined
    return /^0[0-7]+(?![\d.])/.test(this.input.slice(offset, offset + 40))
      ? "Octal literals are not allowed in strict mode."
      : "Decimals with leading zeros are not allowed in strict mode."
  }

  #token(offset: number): Token {
    if (offset !== this.start) {
      const text = offset === this.lastTokStart
        ? this.input.slice(offset, this.lastTokEnd)
        : /^(?:[\p{ID_Continue}$]+|\.{3}|[^])/u.exec(this.input.slice(offset, offset + 40))?.[0] ?? ""
      return { kind: /^[\p{ID_Start}$_]/u.test(text) ? "name" : "punctuator", text, previous: this.#previous(offset) }
    }
    return {
      kind: kindOf(this.type),
      text: this.input.slice(this.start, this.end),
      previous: this.input.slice(this.lastTokStart, this.lastTokEnd),
    }
  }

  #previous(offset: number): string {
    return /([\p{ID_Continue}$]+|\S)\s*$/u.exec(this.input.slice(Math.max(0, offset - 40), offset))?.[1] ?? ""
  }

  #describe({ kind, text }: Token): string {
    if (this.lastTokEnd === this.constEnd && text !== ":" && text !== "!") {
      return "Missing initializer in const declaration"
    }
    switch (kind) {
      case "end":
        return "Unexpected end of input"
      case "number":
        return "Unexpected number"
      case "string":
        return "Unexpected string"
      case "template":
        return "Unexpected template string"
      case "name":
        return `Unexpected identifier '${text}'`
      default:
        return text === "**"
          ? "Unary operator used immediately before exponentiation expression. " +
            "Parenthesis must be used to disambiguate operator precedence"
          : `Unexpected token '${text}'`
    }
  }

  // Inside the parentheses of a call, V8 names what is missing rather than what is there.
  override expect(type: acorn.TokenType): void {
    if (type === tt.comma && this.type !== tt.comma && this.list === tt.parenR && this.type !== tt.eof) {
      throw new Problem("SYNTAX_ERROR", this.start, "missing ) after argument list", this.#token(this.start))
    }
    super.expect(type)
  }

  override parseExprList(
    close: acorn.TokenType,
    trailing?: boolean,
    empty?: boolean,
    errors?: DestructuringErrors | null,
  ): Array<Node | null> {
    const outer = this.list
    this.list = close
    const list = super.parseExprList(close, trailing, empty, errors)
    this.list = outer
    return list
  }

  override parseVarId(declarator: Node, kind: string): void {
    super.parseVarId(declarator, kind)
    if (kind === "const") this.constEnd = this.lastTokEnd
  }

  override parseBreakContinueStatement(node: Node, keyword: string): Node {
    const label = this.input.slice(this.pos).match(/^[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u)?.[1]
    if (label !== undefined && !this.labels.some((known) => known.name === label)) {
      this.raise(this.start, `Undefined label '${label}'`)
    }
    return super.parseBreakContinueStatement(node, keyword)
  }

  protected refuseModules(offset: number): never {
    throw this.input.startsWith("export", offset)
      ? unsupported(
        offset,
        "Programs have no modules: `export` is not available.",
        "Leave out the word `export`, and `return` the result.",
      )
      : unsupported(offset, "Programs have no modules: `import` is not available.", noModules)
  }
}

const kindOf = (type: acorn.TokenType): Token["kind"] => {
  switch (type) {
    case tt.eof:
      return "end"
    case tt.name:
    case tt.privateId:
      return "name"
    case tt.num:
      return "number"
    case tt.string:
      return "string"
    case tt.template:
    case tt.invalidTemplate:
    case tt.backQuote:
      return "template"
    case tt.regexp:
      return "other"
    default:
      return type.keyword === undefined ? "punctuator" : "keyword"
  }
}
