import _ from "lodash"
import { table } from "./show.js"

const people = [
  { user: "barney", age: 36, active: true, tags: ["a", "b"], address: { city: "Oslo", zip: null } },
  { user: "fred", age: 40, active: false, tags: [], address: { city: "Bergen", zip: "5003" } },
  { user: "pebbles", age: 1, active: true, tags: ["b", "c"], address: { city: "Oslo", zip: "0150" } },
  { user: "Dino", age: 40, active: true, tags: ["c"], address: undefined },
]
const numbers = [4, 2, 8, 6, -1, 0, -0, NaN, 10, 3.5]
const nested = { a: [{ b: { c: 3 } }, { b: { c: 4 } }], d: { "e.f": 1, e: { f: 2 } }, n: null }
const words = [
  "fooBar",
  "foo bar",
  "--foo-bar--",
  "__FOO_BAR__",
  "XMLHttpRequest",
  "déjà vu",
  "12 feet",
  "ünïcödé Straße",
  "",
]
const mixed = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  NaN,
  Infinity,
  "",
  "a",
  "1",
  [],
  [1],
  {},
  { a: 1 },
  () => 1,
  /x/g,
  new Date(0),
  new Map([[1, 2]]),
  new Set([1]),
  Symbol.iterator,
  new Error("e"),
  Object(1),
  new Uint8Array(2),
]

const cyclic = { name: "root", children: [{ name: "leaf" }] }
cyclic.children[0].parent = cyclic

class Stack {
  constructor() {
    this.items = [1, 2]
  }
  peek() {
    return this.items.at(-1)
  }
}

const cases = {
  version: () => _.VERSION,
  "number of functions": () => _.functions(_).length,
  names: () => _.functions(_),
  chunk: () => [1, 2, 3, 0, -1, 2.7].map((n) => _.chunk([1, 2, 3, 4, 5], n)),
  compact: () => _.compact(mixed).length,
  difference: () => [
    _.difference([2, 1, NaN], [2, 3, NaN]),
    _.differenceBy([2.1, 1.2], [2.3, 3.4], Math.floor),
    _.differenceWith([{ x: 1 }, { x: 2 }], [{ x: 1 }], _.isEqual),
  ],
  drop: () => [
    _.drop([1, 2, 3], 2),
    _.dropRight([1, 2, 3]),
    _.dropWhile(people, ["active", true]),
    _.dropRightWhile(people, "active"),
  ],
  fill: () => [_.fill(_.range(4), "*", 1, 3)],
  find: () => [
    _.find(people, "active"),
    _.find(people, { age: 40 }),
    _.findIndex(people, (p) => p.age === 40),
    _.findLast(people, ["age", 40]),
    _.findKey({ a: 1, b: 2 }, (v) => v === 2),
  ],
  flatten: () => [
    _.flatten([1, [2, [3, [4]], 5]]),
    _.flattenDeep([1, [2, [3, [4]], 5]]),
    _.flattenDepth([1, [2, [3, [4]], 5]], 2),
  ],
  fromPairs: () => _.fromPairs([["a", 1], ["b", 2]]),
  intersection: () => [_.intersection([2, 1], [2, 3]), _.intersectionBy([2.1, 1.2], [2.3, 3.4], Math.floor)],
  pulls: () => [
    _.pull(["a", "b", "c", "a"], "a", "c"),
    _.pullAt(["a", "b", "c"], [0, 2]),
    _.remove([1, 2, 3, 4], (n) => n % 2),
  ],
  sortedIndex:
    () => [_.sortedIndex([30, 50], 40), _.sortedIndexBy([{ x: 4 }, { x: 5 }], { x: 4 }, "x"), _.sortedUniq([1, 1, 2])],
  union: () => [_.union([2], [1, 2]), _.unionBy([2.1], [1.2, 2.3], Math.floor), _.xor([2, 1], [2, 3])],
  uniq:
    () => [_.uniq([2, 1, 2, NaN, NaN, 0, -0]), _.uniqBy(people, "age"), _.uniqWith([{ x: 1 }, { x: 1 }], _.isEqual)],
  "uniq, long": () => _.uniq(_.times(500, (i) => i * 7919 % 301)).length,
  zip: () => [
    _.zip(["a", "b"], [1, 2], [true, false]),
    _.unzip([["a", 1], ["b", 2]]),
    _.zipObject(["a", "b"], [1, 2]),
    _.zipObjectDeep(["a.b[0].c", "a.b[1].d"], [1, 2]),
    _.zipWith([1, 2], [10, 20], (a, b) => a + b),
  ],
  countBy: () => [_.countBy([6.1, 4.2, 6.3], Math.floor), _.countBy(people, "active")],
  groupBy: () => [_.groupBy(people, "age"), _.keyBy(people, "user"), _.partition(people, "active")],
  orderBy: () => [
    _.orderBy(people, ["age", "user"], ["desc", "asc"]),
    _.sortBy(people, [(o) => o.user.toLowerCase(), "age"]),
    _.sortBy(numbers),
  ],
  reduce: () => [
    _.reduce([1, 2], (s, n) => s + n, 0),
    _.reduceRight([[0], [1]], (a, b) => a.concat(b), []),
    _.transform([2, 3, 4], (acc, n) => {
      acc.push(n *= n)
      return n % 2 === 0
    }, []),
  ],
  includes: () => [_.includes([1, 2, 3], 1), _.includes({ a: 1 }, 1), _.includes("abcd", "bc")],
  invokeMap: () => [_.invokeMap([[5, 1, 7], [3, 2, 1]], "sort"), _.invokeMap([123, 456], String.prototype.split, "")],
  collections: () => [
    _.every(people, "active"),
    _.some(people, { user: "fred" }),
    _.reject(people, "active"),
    _.filter(people, ["age", 40]),
    _.map(people, "address.city"),
    _.flatMap(people, "tags"),
    _.size("abc"),
    _.size({ a: 1 }),
  ],
  "sum and mean": () => [
    _.sum(numbers),
    _.sumBy(people, "age"),
    _.mean([4, 2]),
    _.meanBy(people, "age"),
    _.max(numbers),
    _.minBy(people, "age"),
    _.max([]),
    _.min([]),
  ],
  clone: () => {
    const value = [
      { a: 1, d: new Date(5), r: /x/gi, m: new Map([[{ k: 1 }, new Set([1])]]) },
      new Stack(),
      Object(2),
      new Uint8Array([1, 2]),
    ]
    const copy = _.cloneDeep(value)
    return [copy, copy[0] === value[0], copy[1] instanceof Stack, copy[1].peek()]
  },
  "cloneDeep of a cycle": () => {
    const copy = _.cloneDeep(cyclic)
    return [copy.children[0].parent === copy, copy === cyclic, copy]
  },
  cloneWith: () => _.cloneDeepWith({ a: 1, b: [2] }, (v) => _.isNumber(v) ? v * 2 : undefined),
  isEqual: () => mixed.map((a) => mixed.map((b) => _.isEqual(a, b) ? 1 : 0).join("")),
  "isEqual, deep": () => [
    _.isEqual(cyclic, _.cloneDeep(cyclic)),
    _.isEqual(new Map([[{ a: 1 }, [1]]]), new Map([[{ a: 1 }, [1]]])),
    _.isEqual(new Set([[1], [2]]), new Set([[2], [1]])),
    _.isEqual([1, ...Array(1), 3], [1, undefined, 3]),
  ],
  isMatch: () => [_.isMatch({ a: 1, b: 2 }, { b: 2 }), _.isMatch(nested, { a: [{ b: { c: 3 } }] })],
  predicates: () =>
    _.functions(_).filter((name) => /^is[A-Z]/.test(name) && !/Equal|Match|With|Native/.test(name)).map((
      name,
    ) => [name, mixed.map((v) => _[name](v) ? 1 : 0).join("")]),
  conversions: () =>
    ["toArray", "toFinite", "toInteger", "toLength", "toNumber", "toPlainObject", "toSafeInteger"].map((
      name,
    ) => [
      name,
      mixed.map((v) => {
        try {
          return _[name](v)
        } catch (e) {
          return e.name
        }
      }),
    ]),
  toString: () => [
    _.toString(-0),
    _.toString([1, -0, [null]]),
    _.toString(null),
    _.toString(Symbol("s")),
    _.toPath("a[0].b.c[\"d\"]"),
  ],
  comparisons:
    () => [_.eq(NaN, NaN), _.gt(3, 1), _.lte("a", "b"), _.inRange(3, 2, 4), _.inRange(-3, -2, -6), _.clamp(-10, -5, 5)],
  get: () => [
    _.get(nested, "a[0].b.c"),
    _.get(nested, ["a", 1, "b", "c"]),
    _.get(nested, "d.e.f"),
    _.get(nested, "d[\"e.f\"]"),
    _.get(nested, "x.y", "default"),
    _.has(nested, "a[1].b"),
    _.hasIn(new Stack(), "peek"),
    _.result(new Stack(), "peek"),
    _.at(nested, ["a[0].b.c", "d.e.f"]),
  ],
  set: () => [
    _.set({}, "a[0].b.c", 4),
    _.set({}, ["x", "0", "y"], 5),
    _.setWith({}, "[0][1]", "a", Object),
    _.update({ a: 1 }, "a", (n) => n + 1),
    _.unset({ a: { b: 7 } }, "a.b"),
  ],
  assign: () => [
    _.assign({}, new Stack()),
    _.assignIn({}, new Stack()),
    _.defaults({ a: 1 }, { a: 3, b: 2 }),
    _.defaultsDeep({ a: { b: 2 } }, { a: { b: 1, c: 3 } }),
  ],
  merge: () => [
    _.merge({ a: [{ b: 2 }, { d: 4 }] }, { a: [{ c: 3 }, { e: 5 }] }),
    _.mergeWith({ a: [1] }, { a: [2] }, (x, y) => _.isArray(x) ? x.concat(y) : undefined),
    _.merge({}, { __proto__: null, x: undefined }, { x: null }),
    _.merge([1, 2, 3], [undefined, 5]),
  ],
  "merge does not pollute": () => {
    _.merge({}, JSON.parse("{\"__proto__\": {\"polluted\": 1}}"))
    return {}.polluted
  },
  objects: () => [
    _.invert({ a: 1, b: 2, c: 1 }),
    _.invertBy({ a: 1, b: 2, c: 1 }),
    _.mapKeys({ a: 1 }, (v, k) => k + v),
    _.mapValues(_.keyBy(people, "user"), "age"),
    _.omit(nested, ["a", "d.e"]),
    _.pick(nested, ["a[0].b", "n"]),
    _.omitBy({ a: 1, b: "2" }, _.isNumber),
    _.pickBy({ a: 1, b: "2" }, _.isNumber),
    _.toPairs({ a: 1, b: 2 }),
    _.keysIn(new Stack()),
    _.valuesIn(new Stack()),
    _.forOwn({ a: 1 }, () => {}),
  ],
  create: () => {
    const o = _.create(Stack.prototype, { items: [9] })
    return [o.peek(), o instanceof Stack]
  },
  cases: () =>
    [
      "camelCase",
      "capitalize",
      "deburr",
      "escape",
      "kebabCase",
      "lowerCase",
      "lowerFirst",
      "snakeCase",
      "startCase",
      "toLower",
      "toUpper",
      "trim",
      "upperCase",
      "upperFirst",
      "words",
    ].map((name) => [name, words.map((w) => _[name](w))]),
  pad: () => [_.pad("abc", 8), _.pad("abc", 8, "_-"), _.padStart("abc", 6, "_-"), _.padEnd("abc", 6), _.repeat("*", 3)],
  truncate: () => [
    _.truncate("hi-diddly-ho there, neighborino"),
    _.truncate("hi-diddly-ho there, neighborino", { length: 24, separator: " " }),
    _.truncate("hi-diddly-ho there, neighborino", { length: 24, separator: /,? +/ }),
    _.truncate("👩‍👩‍👧 family 🏳️‍🌈 flag", { length: 10 }),
  ],
  strings: () => [
    _.escape("<a href=\"x\">&'</a>"),
    _.unescape("&lt;a&gt;&amp;&#39;"),
    _.escapeRegExp("[lodash](https://x.y/)"),
    _.endsWith("abc", "b", 2),
    _.startsWith("abc", "b", 1),
    _.parseInt("08"),
    _.replace("Hi Fred", "Fred", "Barney"),
    _.split("a-b-c", "-", 2),
    _.trim("-_-abc-_-", "_-"),
    _.words("fred, barney, & pebbles", /[^, ]+/g),
  ],
  "strings of emoji": () => [_.split("👍🏽a🇳🇴", ""), _.size("👍🏽a"), _.toArray("é👨‍👩‍👦x"), _.deburr("ÀÉÎÕÜñçßøæ")],
  curry: () => {
    const abc = _.curry((a, b, c) => [a, b, c])
    return [abc(1)(2)(3), abc(1, 2)(3), abc(1)(_, 3)(2), _.curryRight((a, b) => [a, b])(2)(1)]
  },
  functions: () => [
    _.flow([_.add, (n) => n * n])(1, 2),
    _.flowRight([(n) => n + 1, _.add])(1, 2),
    _.partial((a, b) => a + b, "hi ")("x"),
    _.partialRight((a, b) => a + b, "!")("x"),
    _.negate((n) => n % 2 === 0)(3),
    _.overArgs((x, y) => [x, y], [(n) => n * n, (n) => n * 2])(9, 3),
    _.rearg((a, b, c) => [a, b, c], [2, 0, 1])("b", "c", "a"),
    _.spread((a, b) => a + b)([1, 2]),
    _.unary(parseInt)("10", 2),
    _.ary(parseInt, 1)("6"),
    _.wrap(_.escape, (f, t) => `<p>${f(t)}</p>`)("a & b"),
    _.flip((...a) => a)(1, 2, 3),
    _.once(() => Math.PI)(),
  ],
  memoize: () => {
    let calls = 0
    const f = _.memoize((n) => {
      calls++
      return n * 2
    })
    return [f(1), f(1), f(2), calls, f.cache.has(1)]
  },
  bind: () => {
    const o = {
      user: "x",
      greet(g, p) {
        return `${g} ${this.user}${p}`
      },
    }
    return [
      _.bind(o.greet, o, "hi")("!"),
      _.bindKey(o, "greet", "yo")("?"),
      _.bindAll({
        n: 3,
        get: function() {
          return this.n
        },
      }, ["get"]).get.call(null),
    ]
  },
  after: () => {
    let n = 0
    const f = _.after(2, () => ++n)
    f()
    f()
    const g = _.before(3, () => ++n)
    g()
    g()
    g()
    return n
  },
  iteratee: () => [
    _.map(people, _.iteratee(["user", "fred"])),
    _.map(people, _.matches({ active: true, age: 40 })),
    _.map(people, _.property("address.city")),
    _.map([["a", 1]], _.spread((a, b) => a + b)),
    _.cond([[_.matches({ a: 1 }), _.constant("A")], [_.stubTrue, _.constant("other")]])({ a: 1 }),
    _.conforms({ b: (n) => n > 1 })({ b: 2 }),
    _.over([Math.max, Math.min])(1, 2, 3),
    _.overEvery([Boolean, isFinite])("1"),
    _.nthArg(-1)(1, 2, 3),
    _.methodOf({ a: { b: _.constant(3) } })("a.b"),
    _.propertyOf(nested)("a[0].b.c"),
  ],
  range: () => [
    _.range(4),
    _.range(-4),
    _.range(1, 5),
    _.range(0, 20, 5),
    _.range(0, -4, -1),
    _.range(1, 4, 0),
    _.rangeRight(4),
    _.times(3, String),
  ],
  math: () => [
    _.ceil(4.006, 2),
    _.floor(0.046, 2),
    _.round(4.006, 2),
    _.round(4060, -2),
    _.divide(6, 4),
    _.subtract(6, 4),
    _.multiply("2", 3),
    _.round(1.005, 2),
  ],
  "a chain": () => _(people).filter("active").sortBy("age").map((o) => `${o.user} is ${o.age}`).head(),
  "a lazy chain": () => {
    let n = 0
    const r = _(_.range(1000)).map((x) => {
      n++
      return x * x
    }).filter((x) => x % 2 === 0).take(5).value()
    return [r, n]
  },
  "chain of wrappers": () =>
    _.chain([3, 1, 2]).tap((a) => a.push(0)).thru((a) => a.concat(9)).sort().reverse().join("-").value(),
  "chain next": () => {
    const w = _([1, 2])
    return [w.next(), w.next(), w.next(), [..._([5, 6])]]
  },
  mixin: () => {
    const l = _.runInContext()
    l.mixin({ vowels: (s) => l.filter(s, (v) => /[aeiou]/i.test(v)) })
    return [l.vowels("fred"), l("fred").vowels().value()]
  },
  uniqueId: () => [/^contact_\d+$/.test(_.uniqueId("contact_")), _.defaultTo(NaN, 10), _.identity(1), _.noop()],
  attempt: () =>
    _.attempt(() => {
      throw new TypeError("no")
    }),
  debounce: async () => {
    const calls = []
    const f = _.debounce((x) => calls.push(x), 5)
    f(1)
    f(2)
    f(3)
    await new Promise((r) => setTimeout(r, 30))
    const g = _.throttle((x) => calls.push(x), 5, { trailing: false })
    g("a")
    g("b")
    f.cancel()
    return [calls, f.flush()]
  },
  defer: () => new Promise((resolve) => _.defer((...args) => resolve(args), 1, 2)),
  "a report": () =>
    _(_.times(300, (i) => ({ id: i, team: "abcde"[i % 5], points: i * 37 % 101, won: i % 3 === 0 }))).groupBy("team")
      .mapValues((rows) => ({
        games: rows.length,
        points: _.sumBy(rows, "points"),
        won: _.countBy(rows, "won"),
        best: _.maxBy(rows, "points"),
      })).toPairs().orderBy([(p) => p[1].points], ["desc"]).value(),
}

export const rows = table(cases)
