import { Op, type Program } from "./program.ts"
import { canonicalize } from "./unicode.ts"

export const enum Outcome {
  Match = 0,
  Fail = 1,
  More = 2,
}

/** The stack of choices grew past its bound. */
export class BacktrackOverflow extends Error {}

/** The most words the stack of choices may take: 32 MiB. */
const MAX_STACK = 1 << 23

/** A stack of this many words is kept for the next match. */
const KEPT_STACK = 1 << 14

const codePointAt = (input: string, i: number, end: number): number => {
  const c = input.charCodeAt(i)
  if ((c & 0xFC00) === 0xD800 && i + 1 < end) {
    const d = input.charCodeAt(i + 1)
    if ((d & 0xFC00) === 0xDC00) return ((c - 0xD800) << 10) + (d - 0xDC00) + 0x10000
  }
  return c
}

const codePointBefore = (input: string, i: number): number => {
  const d = input.charCodeAt(i - 1)
  if ((d & 0xFC00) === 0xDC00 && i > 1) {
    const c = input.charCodeAt(i - 2)
    if ((c & 0xFC00) === 0xD800) return ((c - 0xD800) << 10) + (d - 0xDC00) + 0x10000
  }
  return d
}

/** Whether a position is between the two halves of a surrogate pair. */
const splitsPair = (input: string, i: number): boolean =>
  i > 0 && i < input.length && (input.charCodeAt(i) & 0xFC00) === 0xDC00 &&
  (input.charCodeAt(i - 1) & 0xFC00) === 0xD800

/**
 * One attempt to match a text from a position on, or from any later one. Backtracking, on a stack of its own: a choice is
 * a position and where to go on, an undone register its old value and its number's complement.
 */
export class Matcher {
  /** Two positions for each group, -1 where it took no part; then those of loops and lookarounds. */
  readonly registers: Array<number> = []
  private stack: Int32Array = new Int32Array(256)
  private height = 0
  private pc = 0
  private position = 0
  /** Where this attempt began. */
  private start = 0
  /** How far a run of one instruction came when its block ended; -1 if none is underway. */
  private partial = -1
  private partialCount = 0
  private partialLow = 0
  private begun = false
  /** Where to look for the next attempt's beginning, and whether that goes on. */
  private next = 0
  private seeking = true
  private skipping = false
  /** Steps taken by the search for a beginning that are not in the account yet. */
  private spent = 0
  private left = 0
  /** What the last `run` took, in steps. */
  cost = 0

  constructor(
    private program: Program,
    private input: string,
    start: number,
    private sticky: boolean,
    /** Told of the memory that the stack takes. */
    private meter: { allocate(bytes: number): void },
  ) {
    this.restart(start)
  }

  /** Begins anew from a position. */
  restart(start: number): void {
    const { program } = this
    this.next = this.start = program.unicode && splitsPair(this.input, start) ? start - 1 : start
    this.begun = this.skipping = false
    this.seeking = true
    this.partial = -1
    this.height = this.spent = 0
  }

  /**
   * A matcher for this text, used before perhaps. Its registers hold until the next one is asked for, even once it is
   * released.
   */
  static acquire(
    program: Program,
    input: string,
    start: number,
    sticky: boolean,
    meter: { allocate(bytes: number): void },
  ): Matcher {
    const matcher = kept
    if (matcher === null) return new Matcher(program, input, start, sticky, meter)
    kept = null
    matcher.program = program
    matcher.input = input
    matcher.sticky = sticky
    matcher.meter = meter
    matcher.restart(start)
    return matcher
  }

  /** Takes back a matcher that is used no more. */
  static release(matcher: Matcher): void {
    if (matcher.stack.length > KEPT_STACK) return
    matcher.input = ""
    matcher.meter = NO_METER
    kept = matcher
  }

  private grow(needed: number): Int32Array {
    let size = this.stack.length
    while (size < needed) size *= 2
    if (size > MAX_STACK) throw new BacktrackOverflow()
    this.meter.allocate((size - this.stack.length) * 4)
    const stack = new Int32Array(size)
    stack.set(this.stack)
    return this.stack = stack
  }

  /**
   * Moves on to the next position where a match may begin, looking at so many characters at most. True once it is there;
   * else `seeking` tells whether there is more to look at.
   */
  private seek(limit: number): boolean {
    const { input, program } = this
    const { prefix, first, leading, unicode } = program
    const end = input.length
    let at = this.next
    this.seeking = false
    if (at > end || (program.anchored && at > 0) || (this.sticky && this.begun)) return false
    if (this.sticky) return this.begin(at)
    const from = at
    const stop = Math.min(end, at + limit)
    if (this.skipping) {
      // The attempt before this one failed after a loop that goes through all of these.
      while (at < stop) {
        const c = unicode ? codePointAt(input, at, end) : input.charCodeAt(at)
        at += c > 0xFFFF ? 2 : 1
        if (!leading!.has(c)) {
          this.skipping = false
          break
        }
      }
      if (this.skipping && at >= end) {
        this.spent += (at - from) >> 2
        return false
      }
    }
    if (!this.skipping) {
      if (prefix !== "") {
        at = input.indexOf(prefix, at)
        this.spent += ((at < 0 ? end : at) - from) >> 4
        return at >= 0 && this.begin(at)
      }
      if (first === null) {
        this.spent += (at - from) >> 2
        return this.begin(at)
      }
      const { latin } = first
      while (at < stop) {
        const c = unicode ? codePointAt(input, at, end) : input.charCodeAt(at)
        if (c < 256 ? latin[c] === 1 : first.has(c)) {
          this.spent += (at - from) >> 2
          return this.begin(at)
        }
        at += c > 0xFFFF ? 2 : 1
      }
    }
    this.spent += (at - from) >> 2
    this.next = at
    this.seeking = at < end
    return false
  }

  private begin(at: number): boolean {
    // What the last attempt changed was undone by its failure.
    if (!this.begun) {
      const { registers } = this
      const count = this.program.registers
      for (let r = 0; r < count; r++) registers[r] = -1
      this.begun = true
    }
    this.start = this.position = at
    this.pc = 0
    this.height = 0
    return true
  }

  /** Sets out for the next attempt, after that from `start` failed. */
  private advance(): void {
    const { input, program, start } = this
    this.seeking = true
    if (program.leading !== null) {
      this.skipping = true
      this.next = start < input.length ? start : start + 1
    } else this.next = program.unicode && codePointAt(input, start, input.length) > 0xFFFF ? start + 2 : start + 1
  }

  private unwind(height: number): void {
    const { stack, registers } = this
    let sp = this.height
    while (sp > height) {
      const tag = stack[--sp]!
      if (tag < 0) registers[~tag] = stack[--sp]!
      else {
        sp--
        const op = this.program.code[tag]!
        if (op === Op.GreedyRetry || op === Op.LazyRetry) sp--
      }
    }
    this.height = sp
  }

  /**
   * Compares what a group took with the text at a position, from one unit of it on to another. Answers with the first unit that
   * differs, or at least `stop`.
   */
  private matchReference(
    from: number,
    length: number,
    at: number,
    start: number,
    stop: number,
    ignoreCase: boolean,
  ): number {
    const { input } = this
    let i = start
    if (!ignoreCase) {
      while (i < stop && input.charCodeAt(from + i) === input.charCodeAt(at + i)) i++
      return i
    }
    const { unicode } = this.program
    while (i < stop) {
      const a = unicode ? codePointAt(input, from + i, from + length) : input.charCodeAt(from + i)
      const b = unicode ? codePointAt(input, at + i, at + length) : input.charCodeAt(at + i)
      if (a !== b && canonicalize(a, unicode) !== canonicalize(b, unicode)) return i
      i += a > 0xFFFF ? 2 : 1
    }
    return i
  }

  /** Runs about this many steps. */
  run(steps: number): number {
    const outcome = this.loop(steps)
    this.cost = steps - this.left
    return outcome
  }

  private loop(steps: number): number {
    if (this.seeking && !this.seek(4 * steps)) {
      this.left = steps - this.spent
      this.spent = 0
      return this.seeking ? Outcome.More : Outcome.Fail
    }
    const { input, program, registers } = this
    const { code, sets, unicode } = program
    const end = input.length
    const reserve = 16 + 4 * program.groups
    let { stack, pc, position: i, height: sp } = this
    let budget = steps - this.spent
    this.spent = 0

    for (;;) {
      if (--budget < 0) {
        this.pc = pc
        this.position = i
        this.height = sp
        this.left = budget
        return Outcome.More
      }
      if (sp + reserve > stack.length) {
        this.height = sp
        stack = this.grow(sp + reserve)
      }
      let ok = true
      switch (code[pc]) {
        case Op.Match:
          this.left = budget
          return Outcome.Match
        case Op.Chars: {
          const count = code[pc + 1]!
          if (i + count > end) {
            ok = false
            break
          }
          let k = 0
          while (k < count && input.charCodeAt(i + k) === code[pc + 2 + k]!) k++
          budget -= k >> 2
          ok = k === count
          if (ok) {
            i += count
            pc += 2 + count
          }
          break
        }
        case Op.Either: {
          const c = i < end ? input.charCodeAt(i) : -1
          if (c === code[pc + 1]! || c === code[pc + 2]!) {
            i++
            pc += 3
          } else ok = false
          break
        }
        case Op.Set: {
          if (i >= end) {
            ok = false
            break
          }
          const c = unicode ? codePointAt(input, i, end) : input.charCodeAt(i)
          const set = sets[code[pc + 1]!]!
          if (c < 256 ? set.latin[c] === 1 : set.has(c)) {
            i += c > 0xFFFF ? 2 : 1
            pc += 2
          } else ok = false
          break
        }
        case Op.CharBack:
          if (i > 0 && input.charCodeAt(i - 1) === code[pc + 1]!) {
            i--
            pc += 2
          } else ok = false
          break
        case Op.SetBack: {
          if (i <= 0) {
            ok = false
            break
          }
          const c = unicode ? codePointBefore(input, i) : input.charCodeAt(i - 1)
          if (sets[code[pc + 1]!]!.has(c)) {
            i -= c > 0xFFFF ? 2 : 1
            pc += 2
          } else ok = false
          break
        }
        case Op.Jump:
          pc = code[pc + 1]!
          break
        case Op.Split:
          stack[sp++] = i
          stack[sp++] = code[pc + 1]!
          pc += 2
          break
        case Op.SplitLazy:
          stack[sp++] = i
          stack[sp++] = pc + 2
          pc = code[pc + 1]!
          break
        case Op.SplitOn: {
          const c = i >= end ? -1 : unicode ? codePointAt(input, i, end) : input.charCodeAt(i)
          const second = code[pc + 3]!
          const inSecond = second < 0 || (c >= 0 && sets[second]!.has(c))
          if (c >= 0 && sets[code[pc + 2]!]!.has(c)) {
            if (inSecond) {
              stack[sp++] = i
              stack[sp++] = code[pc + 1]!
            }
            pc += 4
          } else if (inSecond) pc = code[pc + 1]!
          else ok = false
          break
        }
        case Op.Save: {
          const r = code[pc + 1]!
          stack[sp++] = registers[r]!
          stack[sp++] = ~r
          registers[r] = i
          pc += 2
          break
        }
        case Op.Unset: {
          const to = code[pc + 2]!
          budget -= (to - code[pc + 1]!) >> 2
          for (let r = code[pc + 1]!; r < to; r++) {
            if (registers[r] !== -1) {
              stack[sp++] = registers[r]!
              stack[sp++] = ~r
              registers[r] = -1
            }
          }
          pc += 3
          break
        }
        case Op.Put: {
          const r = code[pc + 1]!
          stack[sp++] = registers[r]!
          stack[sp++] = ~r
          registers[r] = code[pc + 2]!
          pc += 3
          break
        }
        case Op.CheckProgress:
          if (registers[code[pc + 1]!] === i) ok = false
          else pc += 2
          break
        case Op.Loop: {
          const count = registers[code[pc + 1]!]!
          if (count < code[pc + 2]!) pc += 6
          else if (count >= code[pc + 3]!) pc = code[pc + 5]!
          else if (code[pc + 4] === 0) {
            stack[sp++] = i
            stack[sp++] = code[pc + 5]!
            pc += 6
          } else {
            stack[sp++] = i
            stack[sp++] = pc + 6
            pc = code[pc + 5]!
          }
          break
        }
        case Op.LoopEnter: {
          const counter = code[pc + 1]!
          const start = code[pc + 2]!
          const to = code[pc + 4]!
          budget -= (to - code[pc + 3]!) >> 2
          stack[sp++] = registers[counter]!
          stack[sp++] = ~counter
          registers[counter]!++
          if (start >= 0) {
            stack[sp++] = registers[start]!
            stack[sp++] = ~start
            registers[start] = i
          }
          for (let r = code[pc + 3]!; r < to; r++) {
            if (registers[r] !== -1) {
              stack[sp++] = registers[r]!
              stack[sp++] = ~r
              registers[r] = -1
            }
          }
          pc += 5
          break
        }
        case Op.LoopEnd: {
          const start = code[pc + 2]!
          if (start >= 0 && registers[start] === i && registers[code[pc + 1]!]! > code[pc + 3]!) ok = false
          else pc = code[pc + 4]!
          break
        }
        case Op.Greedy:
        case Op.Possessive:
        case Op.Lazy: {
          const op = code[pc]!
          const set = sets[code[pc + 1]!]!
          const min = code[pc + 2]!
          const max = op === Op.Lazy ? min : code[pc + 3]!
          let count = 0
          let low = i
          let slow = 0
          if (this.partial >= 0) {
            i = this.partial
            count = this.partialCount
            low = this.partialLow
            this.partial = -1
          }
          const { latin } = set
          const from = i
          // At most about four characters a step are read before the block's end is looked at.
          const stop = Math.min(end, i + 64 + budget * 4)
          if (unicode) {
            while (count < max && i < stop) {
              const c = codePointAt(input, i, end)
              if (c < 256) {
                if (latin[c] !== 1) break
              } else {
                // Takes longer than a look into a table.
                slow++
                if (!set.has(c)) break
              }
              i += c > 0xFFFF ? 2 : 1
              if (++count <= min) low = i
            }
          } else {
            const limit = max - count < stop - i ? i + max - count : stop
            while (i < limit) {
              const c = input.charCodeAt(i)
              if (c < 256) {
                if (latin[c] !== 1) break
              } else {
                slow++
                if (!set.has(c)) break
              }
              i++
            }
            count += i - from
            low = count >= min ? i - (count - min) : i
          }
          budget -= ((i - from) >> 2) + slow
          if (i >= stop && i < end && count < max) {
            this.partial = i
            this.partialCount = count
            this.partialLow = low
            break
          }
          if (count < min) {
            ok = false
            break
          }
          if (op === Op.Possessive) pc += 4
          else if (op === Op.Greedy) {
            if (i > low) {
              stack[sp++] = low
              stack[sp++] = i
              stack[sp++] = pc + 5
            }
            pc += 10
          } else {
            if (code[pc + 3]! > min) {
              stack[sp++] = code[pc + 3]! - min
              stack[sp++] = i
              stack[sp++] = pc + 5
            }
            pc += 10
          }
          break
        }
        case Op.GreedyRetry: {
          const low = stack[--sp]!
          const next = code[pc + 4]!
          const from = i
          const stop = i - 64 - budget * 4
          let found = true
          for (;;) {
            i--
            if (unicode && i > low && splitsPair(input, i)) i--
            if (next < 0 || i < low || (i < end && input.charCodeAt(i) === next)) break
            if (i < stop) {
              found = false
              break
            }
          }
          budget -= (from - i) >> 2
          if (!found) {
            // The rest is looked at in the next block.
            stack[sp++] = low
            stack[sp++] = i
            stack[sp++] = pc
            ok = false
            break
          }
          if (i < low) {
            ok = false
            break
          }
          if (i > low) {
            stack[sp++] = low
            stack[sp++] = i
            stack[sp++] = pc
          }
          pc += 5
          break
        }
        case Op.LazyRetry: {
          let left = stack[--sp]!
          const set = sets[code[pc + 1]!]!
          const next = code[pc + 4]!
          const from = i
          const stop = i + 64 + budget * 4
          ok = false
          while (left > 0 && i < end) {
            if (i >= stop) {
              // The rest is looked at in the next block.
              stack[sp++] = left
              stack[sp++] = i
              stack[sp++] = pc
              break
            }
            const c = unicode ? codePointAt(input, i, end) : input.charCodeAt(i)
            if (!(c < 256 ? set.latin[c] === 1 : set.has(c))) break
            i += c > 0xFFFF ? 2 : 1
            left--
            if (next < 0 || (i < end && input.charCodeAt(i) === next)) {
              ok = true
              break
            }
          }
          budget -= (i - from) >> 2
          if (!ok) break
          if (left > 0) {
            stack[sp++] = left
            stack[sp++] = i
            stack[sp++] = pc
          }
          pc += 5
          break
        }
        case Op.Start:
          if (i === 0) pc++
          else ok = false
          break
        case Op.StartOfLine:
          if (i === 0 || isLineTerminator(input.charCodeAt(i - 1))) pc++
          else ok = false
          break
        case Op.End:
          if (i === end) pc++
          else ok = false
          break
        case Op.EndOfLine:
          if (i === end || isLineTerminator(input.charCodeAt(i))) pc++
          else ok = false
          break
        case Op.WordBoundary: {
          const word = sets[code[pc + 1]!]!
          const before = i > 0 && word.has(unicode ? codePointBefore(input, i) : input.charCodeAt(i - 1))
          const after = i < end && word.has(unicode ? codePointAt(input, i, end) : input.charCodeAt(i))
          if ((before !== after) === (code[pc + 2] === 1)) pc += 3
          else ok = false
          break
        }
        case Op.BackReference:
        case Op.BackReferenceBack: {
          const count = code[pc + 2]!
          const ignoreCase = code[pc + 1] === 1
          let whole = true
          budget -= count >> 2
          for (let k = 0; k < count; k++) {
            const r = 2 * code[pc + 3 + k]!
            const from = registers[r]!
            const to = registers[r + 1]!
            if (from < 0 || to < 0) continue
            const length = to - from
            const at = code[pc] === Op.BackReference ? i : i - length
            if (at < 0 || at + length > end) {
              ok = false
              break
            }
            const done = this.partial < 0 ? 0 : this.partial
            const stop = Math.min(length, done + 64 + (ignoreCase ? budget : budget * 4))
            const reached = this.matchReference(from, length, at, done, stop, ignoreCase)
            budget -= ignoreCase ? reached - done : (reached - done) >> 2
            this.partial = -1
            if (reached < stop) ok = false
            else if (reached < length) {
              whole = false
              this.partial = reached
            } else i = code[pc] === Op.BackReference ? i + length : at
            break
          }
          if (ok && whole) pc += 3 + count
          break
        }
        case Op.Look: {
          const to = code[pc + 4]!
          budget -= (to - code[pc + 3]!) >> 1
          for (let r = code[pc + 3]!; r < to; r++) {
            stack[sp++] = registers[r]!
            stack[sp++] = ~r
          }
          registers[code[pc + 1]!] = sp
          registers[code[pc + 2]!] = i
          pc += 5
          break
        }
        case Op.LookEnd:
          sp = registers[code[pc + 1]!]!
          i = registers[code[pc + 2]!]!
          pc += 3
          break
        case Op.LookNot:
          registers[code[pc + 1]!] = sp
          stack[sp++] = i
          stack[sp++] = code[pc + 2]!
          pc += 3
          break
        case Op.LookNotEnd:
          this.height = sp
          budget -= (sp - registers[code[pc + 1]!]!) >> 3
          this.unwind(registers[code[pc + 1]!]!)
          sp = this.height
          ok = false
          break
        case Op.Strings: {
          const { characters, hasString, maxLength } = program.strings[code[pc + 1]!]!
          const back = code[pc + 2] === 1
          const target = pc + 3
          const longest = Math.min(maxLength, back ? i : end - i)
          budget -= longest * 8
          if (sp + reserve + 2 * longest > stack.length) {
            this.height = sp
            stack = this.grow(sp + reserve + 2 * longest)
          }
          // The shortest goes deepest, so that the longest is tried first.
          for (let length = 0; length <= Math.max(longest, 2); length++) {
            const from = back ? i - length : i
            const to = back ? i : i + length
            if (from < 0 || to > end || splitsPair(input, back ? from : to)) continue
            const c = length === 0 ? -1 : codePointAt(input, from, to)
            const single = length > 0 && length === (c > 0xFFFF ? 2 : 1)
            if (single ? characters.has(c) : length <= longest && hasString(input.slice(from, to))) {
              stack[sp++] = back ? from : to
              stack[sp++] = target
            }
          }
          ok = false
          break
        }
        default:
          ok = false
      }
      if (ok) continue

      // Backtrack.
      for (;;) {
        if (sp === 0) {
          this.height = 0
          this.advance()
          const found = this.seek(budget > 16 ? 4 * budget : 64)
          budget -= this.spent
          this.spent = 0
          if (!found) {
            this.left = budget
            return this.seeking ? Outcome.More : Outcome.Fail
          }
          i = this.position
          pc = 0
          break
        }
        const tag = stack[--sp]!
        if (tag >= 0) {
          i = stack[--sp]!
          pc = tag
          break
        }
        registers[~tag] = stack[--sp]!
      }
    }
  }
}

const NO_METER = { allocate: () => {} }

let kept: Matcher | null = null

const isLineTerminator = (c: number): boolean => c === 10 || c === 13 || c === 0x2028 || c === 0x2029
