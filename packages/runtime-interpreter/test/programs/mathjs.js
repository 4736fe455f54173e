import { all, create } from "mathjs"
import { table } from "./show.js"

const math = create(all)
const expressions = [
  "1 + 2 * 3 ^ 2",
  "-2^2",
  "2^-1",
  "5!",
  "1/3 + 1/6",
  "0.1 + 0.2",
  "10 mod 3",
  "-7 mod 3",
  "7 % 4",
  "sqrt(-4)",
  "sqrt(2)",
  "cbrt(-27)",
  "nthRoot(16, 4)",
  "log(100, 10)",
  "exp(1)",
  "e^(i*pi)",
  "(2 + 3i) * (4 - i)",
  "conj(2 + 3i)",
  "abs(3 + 4i)",
  "arg(1 + i)",
  "sin(45 deg)",
  "cos(pi / 3)",
  "atan2(3, -4)",
  "acosh(2)",
  "hypot(3, 4)",
  "round(2.345, 2)",
  "fix(-2.7)",
  "ceil(-1.2)",
  "gcd(24, 36, 60)",
  "lcm(4, 6)",
  "5 cm + 2 inch",
  "2 inch to cm",
  "60 mph to km/h",
  "5 kg m / s^2 to N",
  "25 degC to degF",
  "1 GB to MiB",
  "12 V * 3 A",
  "9.81 m/s^2 * 80 kg in lbf",
  "3 hours + 20 minutes to seconds",
  "100 USD",
  "[1, 2; 3, 4]",
  "[1, 2; 3, 4] * [5; 6]",
  "[1, 2; 3, 4]'",
  "det([1, 2; 3, 4])",
  "inv([1, 2; 3, 4])",
  "[1, 2; 3, 4] .* [2, 2; 2, 2]",
  "[1, 2; 3, 4] ^ 3",
  "[1,2,3][2]",
  "[1, 2; 3, 4][:, 1]",
  "1:5",
  "0:0.25:1",
  "concat([1], [2])",
  "cross([1,2,3], [4,5,6])",
  "dot([1,2,3],[4,5,6])",
  "norm([3, 4])",
  "eigs([2, 0; 0, 3])",
  "trace([1, 2; 3, 4])",
  "kron([1, 2], [1; 1])",
  "lusolve([2, 1; 1, 3], [3; 5])",
  "expm([0, 1; 0, 0])",
  "mean(1, 2, 3, 4)",
  "median([5, 1, 3])",
  "std([1, 2, 3, 4])",
  "variance(2, 4, 6)",
  "mode(1, 2, 2, 3)",
  "quantileSeq([1, 2, 3, 4, 5], 0.25)",
  "sum([1, 2; 3, 4])",
  "prod(2, 3, 4)",
  "max([1, 5, 3])",
  "cumsum([1, 2, 3])",
  "mad(1, 2, 9)",
  "corr([1,2,3], [2,4,7])",
  "fraction(1, 3) + fraction(1, 4)",
  "bignumber(1) / 3",
  "bignumber(2) ^ 200",
  "sqrt(bignumber(2))",
  "bigint(2) ^ 100",
  "0xff + 0b101 + 0o17",
  "bin(10)",
  "hex(255)",
  "5 & 3 | 8",
  "1 << 10 >>> 2",
  "~5",
  "bitXor(5, 3)",
  "combinations(52, 5)",
  "permutations(5, 2)",
  "stirlingS2(5, 3)",
  "catalan(10)",
  "bellNumbers(6)",
  "isPrime(7919)",
  "factorial(170)",
  "factorial(171)",
  "gamma(0.5)",
  "erf(0.5)",
  "zeta(2)",
  "f(x) = x^2 + 1; f(3)",
  "a = 3; b = a * 2; [a, b]",
  "g(x, y) = x > y ? x : y; g(2, 5)",
  "x = {a: 1, b: {c: 2}}; x.b.c",
  "map([1, 2, 3], square)",
  "filter([5, -1, 2], h(x) = x > 0)",
  "sort([3, 1, 2], \"desc\")",
  "\"text\" == \"text\"",
  "compare(2, 3)",
  "true and not false xor true",
  "3 in to cm",
  "2 a",
  "1 < 2 < 3",
  "null",
  "undefined == null",
  "[]",
  "size([1, 2; 3, 4; 5, 6])",
  "ones(2, 3)",
  "identity(3)",
  "zeros(2)",
  "diag([1, 2, 3])",
  "subset([1, 2, 3], index(2))",
  "setUnion([1, 2], [2, 3])",
  "setPowerset([1, 2])",
  "number(\"1e3\")",
  "string(1/3)",
  "format(pi, 4)",
  "typeOf(2 m)",
  "range(0, 10, 3)",
  "reshape([1,2,3,4], [2,2])",
  "fft([1, 2, 3, 4])",
  "isNaN(0/0)",
  "1/0",
  "0^0",
  "unit(5, \"m\") / 2",
]
const wrong = [
  "1 +",
  "(1",
  "1 2 3 +)",
  "foo",
  "foo(1)",
  "[1, 2] + [1, 2, 3]",
  "5 cm + 2 kg",
  "inv([1, 1; 1, 1])",
  "sqrt(\"a\")",
  "\"open",
  "a.b.c",
  "1 = 2",
  "[1, 2; 3]",
  "x[0]",
  "factorial(-1)",
  "import({})",
]
const formulas = [
  "x^2",
  "sin(x) * e^x",
  "(2 x + 1)^3",
  "ln(x) / x",
  "sqrt(1 + x^2)",
  "5",
  "a x^2 + b x + c",
  "1 / (1 + exp(-x))",
]

const cases = {}
for (const expression of [...expressions, ...wrong]) {
  cases[expression] = () => {
    const value = math.evaluate(expression)
    return [math.format(value, { precision: 14 }), math.typeOf(value)]
  }
}
for (const formula of formulas) {
  cases[`derivative of ${formula}`] =
    () => [math.derivative(formula, "x").toString(), math.derivative(formula, "x", { simplify: false }).toString()]
  cases[`simplify ${formula}`] = () => math.simplify(`${formula} + 0 * x + 1 * (${formula})`).toString()
  cases[`tree of ${formula}`] = () => {
    const node = math.parse(formula)
    return [
      node.toTex(),
      node.toString({ parenthesis: "all" }),
      JSON.stringify(node),
      node.filter((n) => n.isSymbolNode).map((n) => n.name),
      node.compile().evaluate({ x: 2, a: 1, b: 2, c: 3, ln: Math.log }),
    ]
  }
}
Object.assign(cases, {
  "a parser with a scope": () => {
    const parser = math.parser()
    parser.evaluate("x = 7 / 2")
    parser.evaluate("f(y) = x + y")
    return [parser.evaluate("f(1)"), parser.getAll().x, parser.get("x")]
  },
  chain: () => math.chain(3).add(4).multiply(2).pow(2).done(),
  bignumbers: () => {
    const big = create(all, { number: "BigNumber", precision: 64 })
    return ["1/3", "sqrt(2)", "sin(1)", "exp(2)", "pi * 2", "0.1 + 0.2", "2^0.5", "ln(10)"].map((e) =>
      big.format(big.evaluate(e))
    )
  },
  fractions: () => {
    const exact = create(all, { number: "Fraction" })
    return ["1/3 + 1/6", "0.1 + 0.2", "3.5 * 2/7", "1.(3)"].map((e) => {
      try {
        return exact.format(exact.evaluate(e))
      } catch (error) {
        return error.message
      }
    })
  },
  "json": () =>
    JSON.parse(
      JSON.stringify({
        m: math.matrix([[1, 2], [3, 4]]),
        c: math.complex(1, 2),
        u: math.unit("5 cm"),
        b: math.bignumber("1e-30"),
        f: math.fraction(1, 3),
      }),
      math.reviver,
    ),
  "sparse matrices": () => {
    const m = math.sparse([[1, 0, 0], [0, 2, 0], [0, 0, 3]])
    return [math.multiply(m, m).toArray(), math.inv(m).toArray(), m.density(), math.lup(m).p]
  },
  "a linear system": () => {
    const n = 8
    const a = Array.from(
      { length: n },
      (_, i) => Array.from({ length: n }, (_, j) => 1 / (i + j + 1) + (i === j ? 1 : 0)),
    )
    const b = a.map((row) => math.sum(row))
    return math.lusolve(a, b).map(([x]) => math.round(x, 9))
  },
  "qr and schur": () => {
    const { Q, R } = math.qr([[1, -1, 4], [1, 4, -2], [1, 4, 2], [1, -1, 0]])
    return [math.round(Q, 10), math.round(R, 10)]
  },
  "eigenvalues": () => math.eigs([[5, 2.3, 1], [2.3, -1, 0], [1, 0, 2]]).values,
  "import of functions": () => {
    math.import({ double: (x) => x * 2, answer: 42 })
    return math.evaluate("double(answer)")
  },
  "typed functions": () => {
    const f = math.typed("f", {
      number: (x) => `number ${x}`,
      "string, number": (a, b) => `both ${a}${b}`,
      "...any": (xs) => xs.length,
    })
    return [f(1), f("a", 2), f(true, null, 1), Object.keys(f.signatures)]
  },
  "ode": () => {
    const { t, y } = math.solveODE((_t, y) => -y, [0, 1], 1, { tol: 1e-4 })
    return [t.length, y.at(-1)]
  },
  "rationalize": () => ["(2x+1)^3", "1/x + 1/y"].map((e) => math.rationalize(e).toString()),
  "units": () => [
    math.unit("1 mile").toNumber("m"),
    math.unit(45, "cm").to("m").toString(),
    math.unit("9.81 m/s^2").toString(),
    math.createUnit("furlong", "220 yards").toString(),
    math.evaluate("1 furlong to m").toString(),
    math.unit("1000 g").toBest?.()?.toString(),
  ],
  "format": () => [
    math.format(1234567.891, { notation: "fixed", precision: 1 }),
    math.format(0.00001234),
    math.format(1e21),
    math.format([1.23456, 2], 3),
    math.format(255, { notation: "hex" }),
    math.format(0.5, { notation: "exponential" }),
    math.format(12345, { notation: "engineering" }),
  ],
})

export const rows = table(cases)
