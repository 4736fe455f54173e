import { runInThisContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { compile, type MachineOptions, makeMachine } from "../../src/engine/index.ts"
import { parse } from "../../src/engine/parse/index.ts"
import { evaluate } from "./evaluate.ts"

/** What a program logs in a machine of its own. */
const logged = async (
  code: string,
  options: Omit<MachineOptions, "host" | "builtins"> & {
    readonly random?: () => number
    readonly monotonic?: () => number
    readonly now?: () => number
  } = {},
): Promise<Array<string>> => {
  const program = await parse(code)
  const lines: Array<string> = []
  const machine = makeMachine({
    ...options,
    host: {
      now: options.now ?? (() => 1e12),
      monotonic: options.monotonic ?? (() => 0),
      random: options.random ?? (() => 0.5),
      log: (_level, text) => lines.push(text),
      setTimer: () => {},
      clearTimer: () => {},
      startCall: () => {},
    },
  })
  const template = compile(program.ast, { code: program.code, name: "program" }, { isAsync: true, completion: true })
  machine.enqueue({ type: "callback", fn: machine.link(template), args: [] })
  while (machine.advance(100_000) === "running");
  return lines
}

const sameAsHost = async (body: string): Promise<void> => {
  const theirs: unknown = await runInThisContext(`(async () => { "use strict"; ${body} })()`)
  expect(await evaluate(body)).toEqual(JSON.parse(JSON.stringify(theirs)))
}

const seeded = () => {
  let state = 1
  return () => (state = state * 48271 % 2147483647) / 2147483647
}

describe("crypto", () => {
  it("takes its numbers from the run's source of random numbers", async () => {
    const code = `console.log(crypto.randomUUID(), [...crypto.getRandomValues(new Uint16Array(4))].join())`
    const [first] = await logged(code, { random: seeded() })
    expect(await logged(code, { random: seeded() })).toEqual([first])
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12} \d+,\d+,\d+,\d+$/)
    expect(await logged(code, { random: Math.random })).not.toEqual([first])
  })

  it("fills the part of a buffer that an array is over, and refuses what it cannot fill", async () => {
    const code = `
      const whole = new Uint8Array(8), part = whole.subarray(2, 4)
      console.log(crypto.getRandomValues(part) === part, whole.join())
      for (const bad of [[], new Float64Array(1), new Uint8Array(65537)]) {
        try { crypto.getRandomValues(bad) } catch (error) { console.log(error.name) }
      }`
    expect(await logged(code)).toEqual([
      "true 0,0,128,128,0,0,0,0",
      "TypeMismatchError",
      "TypeMismatchError",
      "QuotaExceededError",
    ])
  })
})

describe("performance", () => {
  it("begins at 0 in each run, whatever the host's clock shows", async () => {
    let clock = 5e6
    const code = `
      const a = performance.now(), b = performance.now()
      console.log(a > 0 && a < 1, b > a, performance.timeOrigin === performance.timeOrigin, JSON.stringify(performance))`
    const monotonic = () => clock += 0.125
    expect(await logged(code, { monotonic, now: () => 1e12 })).toEqual([
      `true true true {"timeOrigin":999999999999.625}`,
    ])
  })
})

describe("Intl", () => {
  it("has the run's locale and time zone for its defaults", async () => {
    const code = `
      console.log(new Intl.DateTimeFormat().format(0), (1234.5).toLocaleString(), new Intl.NumberFormat("xx").format(0.5))
      console.log(new Intl.DateTimeFormat(undefined, { timeStyle: "long" }).format(), ["z", "ö"].sort(new Intl.Collator().compare).join())
      console.log(new Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.ListFormat().format(["a", "b"]))`
    expect(await logged(code, { locale: "de-DE", timeZone: "Asia/Tokyo", now: () => 0 })).toEqual([
      "1.1.1970 1.234,5 0,5",
      "09:00:00 GMT+9 ö,z",
      "Asia/Tokyo a und b",
    ])
  })

  it("gives functions that are bound once, and objects that keep nothing of the host's", async () => {
    await sameAsHost(`
      const f = new Intl.NumberFormat("en"), d = new Intl.DateTimeFormat("en", { timeZone: "UTC" })
      const all = [f, d, new Intl.Locale("en"), new Intl.Segmenter("en"), new Intl.Segmenter("en").segment("a")]
      return [f.format === f.format, f.format.name, f.format.length, [0, 1].map(d.format), all.map((it) => Reflect.ownKeys(it)),
        f.format instanceof Function, Object.getPrototypeOf(f.formatToParts(1)[0]) === Object.prototype,
        Object.getPrototypeOf(d.resolvedOptions()) === Object.prototype]`)
  })

  it("reads each option once, in the order of the standard, and no property of the host's", async () => {
    const read = `
      const seen = []
      const options = new Proxy({}, { get: (_, key) => void seen.push(key) })
      new Intl.RelativeTimeFormat("en", options); new Intl.Collator("en", options); new Intl.Segmenter("en", options)
      return seen`
    await sameAsHost(read)
  })

  it.each([
    `new Intl.DateTimeFormat("en", { timeZone: "Nowhere/Here" })`,
    `new Intl.NumberFormat("en", { style: "currency" })`,
    `new Intl.NumberFormat("no_locale")`,
    `new Intl.NumberFormat("en", { style: "fancy" })`,
    `Intl.ListFormat("en")`,
    `new Intl.ListFormat("en").format([1])`,
    `new Intl.RelativeTimeFormat("en").format(1, "moment")`,
    `new Intl.DateTimeFormat("en").format(NaN)`,
    `new Intl.Segmenter("en", { granularity: "line" })`,
    `new Intl.DisplayNames("en", { type: "region" }).of("nowhere")`,
    `Intl.PluralRules.prototype.select.call({}, 1)`,
    `Intl.supportedValuesOf("numbers")`,
    `new Intl.Locale()`,
  ])("%s throws what the host throws", async (expression) => {
    await sameAsHost(`try { ${expression} } catch (error) { return [String(error), error instanceof Error] }`)
  })

  const long = [
    `"The quick (“brown”) fox can’t jump 32.3 feet, right? 这是一个测试。 สวัสดีครับ\\n".repeat(20)`,
    `"x".repeat(1500) + " y " + "👨‍👩‍👧‍👦e\\u0301 ".repeat(200)`,
    `"Dr. No et al. said 5. Then, e.g., nothing. ".repeat(60)`,
  ]
  it.each(long)("segments %s as the host does", (text) =>
    sameAsHost(`
      return ["grapheme", "word", "sentence"].map((granularity) => {
        const segments = new Intl.Segmenter("en", { granularity }).segment(${text})
        return [[...segments].map((it) => [it.index, it.segment.length, it.isWordLike]), segments.containing(700).index]
      })`))

  it("joins long lists as the host joins short ones", () =>
    sameAsHost(`
      const texts = Array.from({ length: 5000 }, (_, i) => "item " + i)
      return ["en", "es", "ja", "he"].flatMap((locale) => ["unit", "disjunction"].map((type) =>
        new Intl.ListFormat(locale, { type }).format([...texts, "isla"]).length))`))
})

describe("URL and URLSearchParams", () => {
  it("read and write long queries as the host does", () =>
    sameAsHost(`
      const text = "k=" + "%E4%BD%A0".repeat(9000) + "&" + "a=b&".repeat(9000) + "z".repeat(40000) + "=" + "ü %".repeat(9000) + "&same&=&=x"
      const params = new URLSearchParams(text)
      return [params.size, String(params), params.get("k").length, params.getAll("")]`))

  it.each([
    `new URLSearchParams("a=%ZZ&b=%E4%&c=%C3%28").toString()`,
    `new URLSearchParams("\\ud800=\\udc00 *-._~!'()").toString()`,
    `[null, undefined, 5, [], { a: undefined, b: null, c: [1, 2] }, "?", "??a"].map((init) => String(new URLSearchParams(init)))`,
    `["mailto:a@b.c", "data:text/plain,hi?x#y", "file:///a/b", "http://[::1]:80/", "http://1.2.3", "blob:http://a/b", "about:blank"].map((it) => [new URL(it).href, new URL(it).origin])`,
    `["//x", "http://a b/", "http://a:99999", "http://user@/", "", "https://"].map((it) => URL.canParse(it))`,
    `(() => { const u = new URL("https://ex.com/p?q#h"); u.hash = ""; u.search = ""; u.username = "a b"; u.host = "bad host"; u.protocol = "nope:"; return u })()`,
    `(() => { const u = new URL("http://a.b/?x=1"), p = u.searchParams; u.href = "http://c.d/?y=2"; p.append("z", "3"); return [u.href, String(p), u.searchParams === p] })()`,
    `(() => { const p = new URLSearchParams("a=1&b=2&c=3"); for (const key of p.keys()) p.delete(key); return String(p) })()`,
    `(() => { class Api extends URL { get at() { return this.host } } return [new Api("http://a.b").at, new Api("http://a.b") instanceof URL] })()`,
    `(() => { const keys = []; for (const key in new URL("http://a")) keys.push(key); return keys })()`,
    `[Object.keys(new URL("http://a")), { ...new URL("http://a") }, Object.prototype.toString.call(new URLSearchParams().keys())]`,
  ])("%s", (expression) => sameAsHost(`return ${expression}`))

  it("show in logs what they are", async () => {
    expect(await logged(`console.log(new URLSearchParams("a=1&b=x y"), { url: new URL("http://u@a.b/c?d=e#f") })`))
      .toEqual([
        [
          "URLSearchParams { 'a' => '1', 'b' => 'x y' } {",
          "  url: URL {",
          "    href: 'http://u@a.b/c?d=e#f',",
          "    origin: 'http://a.b',",
          "    protocol: 'http:',",
          "    username: 'u',",
          "    password: '',",
          "    host: 'a.b',",
          "    hostname: 'a.b',",
          "    port: '',",
          "    pathname: '/c',",
          "    search: '?d=e',",
          "    searchParams: URLSearchParams { 'd' => 'e' },",
          "    hash: '#f'",
          "  }",
          "}",
        ].join("\n"),
      ])
  })
})

/** A text of many different characters, for which as the name of a host the host's parser would need seconds. */
const hard = Array.from({ length: 50000 }, (_, i) => String.fromCharCode(0x4e00 + i * 7919 % 20000)).join("")

describe("what would hold the host is refused or cut", () => {
  it.each([
    [`["http://", "ht\\ntp:/\\t/", "http:", " http:\\\\", "http://user@"].map((it) => URL.canParse(it + hard))`, [
      false,
      false,
      false,
      false,
      false,
    ]],
    [`(() => { const url = new URL("http://a/"); url.host = url.hostname = hard; return url })()`, "http://a/"],
    [`URL.canParse("http://a/" + "x".repeat(70000))`, false],
    [`("a" + "\\u0301\\u0327".repeat(500000)).localeCompare("a" + "\\u0327\\u0301".repeat(500000))`, 0],
    [`new Intl.NumberFormat("en").format("9".repeat(1000000))`, "∞"],
    [`[...new Intl.Segmenter("en").segment("e" + "\\u0301".repeat(300000))].length < 5`, true],
  ])("%s", async (expression, value) => {
    const start = performance.now()
    expect(await evaluate(`return ${expression}`, { hard })).toEqual(value)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
