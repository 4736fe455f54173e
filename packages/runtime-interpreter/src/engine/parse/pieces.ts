// acorn in pieces. Its parser is functions that call each other, which nothing can stop and go on with. What goes through a long list
// of elements does so here: between two of them it can throw everything away but the lists it is in, each with its elements so far.
// To go on, the statement is begun anew, and each list with what it has; what was complete before is kept, and not read again.
import type * as acorn from "acorn"
import { Base, type DestructuringErrors, type Scope, type TokenContext } from "./acorn.ts"
import type { Steps } from "./steps.ts"

/** What has parts that are parsed one by one, or is kept when it is complete. */
export const enum Part {
  Arguments,
  Bindings,
  Block,
  ClassBody,
  Declarations,
  Expression,
  Object,
  Operators,
  Parentheses,
  Sequence,
  Statement,
  StaticBlock,
  Subscripts,
  Switch,
  Template,
}

/** From how many characters on it is worth to keep what is complete. */
const WORTH = 64

/** In how many lists the parser may stop before a piece is twice as long. */
const DEEP = 64

/** Thrown to stop. */
const stopped = Symbol("stopped")

/** Thrown where going on did not lead to where it stopped. Nothing is known that does this; the text is then parsed as a whole. */
export const astray = Symbol("astray")

/** Where acorn is in a text, and what it knows there; scopes, labels and private names apart. */
interface Place {
  pos: number
  start: number
  end: number
  type: acorn.TokenType
  value: unknown
  lastTokStart: number
  lastTokEnd: number
  containsEsc: boolean
  exprAllowed: boolean
  potentialArrowAt: number
  potentialArrowInForAwait: boolean
  yieldPos: number
  awaitPos: number
  awaitIdentPos: number
  nesting: number
  chain: number
  list: acorn.TokenType | undefined
  constEnd: number
  angleOpen: boolean
  /**
   * How many contexts of the tokenizer are open, and the three innermost. Those below are still there when the parser stops further
   * on: the token here may have opened one, and the one there, read ahead, may have closed two.
   */
  contexts: number
  context1: TokenContext | undefined
  context2: TokenContext | undefined
  context3: TokenContext | undefined
}

/** A list that was being gone through. */
interface Open {
  readonly part: Part
  /** The offset of its first element. */
  readonly start: number
  readonly state: unknown
  /** Between two elements. */
  readonly place: Place
  readonly contexts: ReadonlyArray<TokenContext>
  readonly errors: DestructuringErrors | undefined
}

/** Something that is complete. */
interface Complete {
  readonly part: Part
  readonly start: number
  readonly value: unknown
  /** Behind it. */
  readonly place: Place
  readonly contexts: ReadonlyArray<TokenContext>
  readonly errors: DestructuringErrors | undefined
}

export const noErrors = (): DestructuringErrors => ({
  shorthandAssign: -1,
  trailingComma: -1,
  parenthesizedAssign: -1,
  parenthesizedBind: -1,
  doubleProto: -1,
})

const copyErrors = (from: DestructuringErrors, to: DestructuringErrors): DestructuringErrors => {
  to.shorthandAssign = from.shorthandAssign
  to.trailingComma = from.trailingComma
  to.parenthesizedAssign = from.parenthesizedAssign
  to.parenthesizedBind = from.parenthesizedBind
  to.doubleProto = from.doubleProto
  return to
}

export class PieceParser extends Base {
  /** How deep the parser is in the grammar, and how long the chain is that it is in. */
  protected nesting = 0
  protected chain = 0
  /** What closes the list of expressions whose elements are next. */
  protected list: acorn.TokenType | undefined
  /** Where the name of the last `const` ends. */
  protected constEnd = -1
  /** Whether there was a `<` that stands like that of type arguments. */
  protected angleOpen = false

  /** How many characters are parsed at a stretch, at least; `Infinity` for all. */
  readonly #piece: number
  /** How many in this piece. */
  #length: number
  /** Where the piece began. */
  #from = 0
  /** The lists that it stopped in, the innermost first. */
  #open: Array<Open> = []
  /** How many of them are still to be reached again. */
  #toReach = 0
  /** What is complete and not part of something that is, in order. */
  readonly #complete: Array<Complete> = []
  /** The next of these that may be reached again. */
  #next = 0
  /** What lists that are over do not need any more. */
  readonly #spare: Array<Place> = []
  #scopes: Array<Scope> = []
  #privateNames: typeof this.privateNameStack = []

  constructor(options: acorn.Options, input: string, piece: number) {
    super(options, input)
    this.#piece = this.#length = piece
  }

  /** Whether parts are to be gone through by `each`: acorn's own loops are faster. */
  protected get inPieces(): boolean {
    return this.#piece < Infinity
  }

  /** Parses a statement of the top level in pieces. `parse` is told whether it begins anew. */
  protected *piecewise<A>(parse: (isAgain: boolean) => A): Steps<A> {
    if (!this.inPieces) return parse(false)
    const [begin, contexts] = [this.#place(), this.context.slice()]
    this.#from = this.pos
    for (let isAgain = false;; isAgain = true) {
      try {
        const parsed = parse(isAgain)
        if (this.#toReach > 0) throw astray
        this.#open = []
        this.#complete.length = 0
        return parsed
      } catch (error) {
        if (error !== stopped) throw this.#toReach > 0 ? astray : error
      }
      yield
      this.#scopes = this.scopeStack
      this.#privateNames = this.privateNameStack
      this.#goTo(begin, contexts)
      // On the way to where it stopped, names are declared once more: not in the scopes that have them.
      const { flags } = this.scopeStack[0]!
      this.scopeStack = []
      this.enterScope(flags)
      this.privateNameStack = []
      this.labels = []
      this.#toReach = this.#open.length
      this.#next = 0
      // The deeper it is, the longer is the way back, and the rarer it is to be gone.
      this.#length = this.#piece * (1 + this.#open.length / DEEP)
    }
  }

  /**
   * Goes through the parts of something: `step` parses the next one, and says whether there may be more. It must not change the state
   * before it has parsed all that it does, except for what it would change again in the same way. Gives the state.
   */
  protected each<S>(part: Part, state: S, step: (state: S) => boolean, errors?: DestructuringErrors | null): S {
    const { start } = this
    const complete = this.#complete
    let its = state
    if (this.#toReach > 0) {
      const open = this.#open[this.#toReach - 1]!
      if (open.part === part && open.start === start) {
        its = open.state as S
        this.#reach(open, errors)
      } else {
        const known = this.#known(part, start, errors)
        if (known !== undefined) return known.value as S
      }
    }
    const place = this.#spare.pop() ?? this.#place()
    const before = errors == null ? undefined : copyErrors(errors, noErrors())
    // Those that belong to something around this.
    let kept = complete.length
    while (kept > 0 && complete[kept - 1]!.start >= start) kept--
    try {
      for (;;) {
        this.#fill(place)
        if (before !== undefined) copyErrors(errors!, before)
        if (this.#toReach === 0) {
          complete.length = kept
          if (this.pos - this.#from >= this.#length) {
            this.#open = []
            throw stopped
          }
        }
        if (!step(its)) break
      }
    } catch (error) {
      if (error === stopped) {
        this.#open.push({ part, start, state: its, place, contexts: this.#contextsAt(place), errors: before })
      }
      throw error
    }
    this.#spare.push(place)
    this.keep(part, start, its, errors)
    return its
  }

  /** What was complete already; `undefined` if it is to be parsed. */
  protected known<A>(part: Part, start: number, errors?: DestructuringErrors | null): A | undefined {
    return this.#toReach > 0 ? this.#known(part, start, errors)?.value as A | undefined : undefined
  }

  /** Keeps what is complete. */
  protected keep(part: Part, start: number, value: unknown, errors?: DestructuringErrors | null): void {
    if (this.#toReach > 0 || this.lastTokEnd - start < WORTH) return
    const complete = this.#complete
    while (complete.length > 0 && complete[complete.length - 1]!.start >= start) complete.pop()
    complete.push({
      part,
      start,
      value,
      place: this.#place(),
      contexts: this.context.slice(),
      errors: errors == null ? undefined : copyErrors(errors, noErrors()),
    })
  }

  #known(part: Part, start: number, errors: DestructuringErrors | null | undefined): Complete | undefined {
    const complete = this.#complete
    while (this.#next < complete.length && complete[this.#next]!.start < start) this.#next++
    const known = complete[this.#next]
    if (known === undefined || known.start !== start || known.part !== part) return undefined
    this.#goTo(known.place, known.contexts)
    if (errors != null && known.errors !== undefined) copyErrors(known.errors, errors)
    return known
  }

  #reach({ contexts, errors: its, place }: Open, errors: DestructuringErrors | null | undefined): void {
    this.#goTo(place, contexts)
    if (errors != null && its !== undefined) copyErrors(its, errors)
    if (--this.#toReach > 0) return
    this.scopeStack = this.#scopes
    this.privateNameStack = this.#privateNames
    this.#from = this.pos
  }

  #contextsAt({ context1, context2, context3, contexts }: Place): ReadonlyArray<TokenContext> {
    const below = this.context.slice(0, Math.max(0, contexts - 3))
    for (const context of [context3, context2, context1]) if (context !== undefined) below.push(context)
    return below
  }

  #place(): Place {
    return {
      pos: this.pos,
      start: this.start,
      end: this.end,
      type: this.type,
      value: this.value,
      lastTokStart: this.lastTokStart,
      lastTokEnd: this.lastTokEnd,
      containsEsc: this.containsEsc,
      exprAllowed: this.exprAllowed,
      potentialArrowAt: this.potentialArrowAt,
      potentialArrowInForAwait: this.potentialArrowInForAwait,
      yieldPos: this.yieldPos,
      awaitPos: this.awaitPos,
      awaitIdentPos: this.awaitIdentPos,
      nesting: this.nesting,
      chain: this.chain,
      list: this.list,
      constEnd: this.constEnd,
      angleOpen: this.angleOpen,
      contexts: this.context.length,
      context1: this.context.at(-1),
      context2: this.context.at(-2),
      context3: this.context.at(-3),
    }
  }

  #fill(place: Place): void {
    place.pos = this.pos
    place.start = this.start
    place.end = this.end
    place.type = this.type
    place.value = this.value
    place.lastTokStart = this.lastTokStart
    place.lastTokEnd = this.lastTokEnd
    place.containsEsc = this.containsEsc
    place.exprAllowed = this.exprAllowed
    place.potentialArrowAt = this.potentialArrowAt
    place.potentialArrowInForAwait = this.potentialArrowInForAwait
    place.yieldPos = this.yieldPos
    place.awaitPos = this.awaitPos
    place.awaitIdentPos = this.awaitIdentPos
    place.nesting = this.nesting
    place.chain = this.chain
    place.list = this.list
    place.constEnd = this.constEnd
    place.angleOpen = this.angleOpen
    const { context } = this
    const { length } = context
    place.contexts = length
    place.context1 = context[length - 1]
    place.context2 = length > 1 ? context[length - 2] : undefined
    place.context3 = length > 2 ? context[length - 3] : undefined
  }

  #goTo(place: Place, contexts: ReadonlyArray<TokenContext>): void {
    this.pos = place.pos
    this.start = place.start
    this.end = place.end
    this.type = place.type
    this.value = place.value
    this.lastTokStart = place.lastTokStart
    this.lastTokEnd = place.lastTokEnd
    this.containsEsc = place.containsEsc
    this.exprAllowed = place.exprAllowed
    this.potentialArrowAt = place.potentialArrowAt
    this.potentialArrowInForAwait = place.potentialArrowInForAwait
    this.yieldPos = place.yieldPos
    this.awaitPos = place.awaitPos
    this.awaitIdentPos = place.awaitIdentPos
    this.nesting = place.nesting
    this.chain = place.chain
    this.list = place.list
    this.constEnd = place.constEnd
    this.angleOpen = place.angleOpen
    this.context = contexts.slice()
  }
}
