const integers = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
]
const numbers = [...integers, "Float32Array", "Float64Array"]
const bigints = ["BigInt64Array", "BigUint64Array"]

/** Expressions over typed arrays and buffers; the host's own engine knows their values. */
export const values: ReadonlyArray<string> = [
  ...numbers.flatMap((name) => [
    `Array.from(new ${name}([0, -1, 1.5, 2.5, 255, 256, 70000.7, -70000, 1e10, NaN, Infinity, "12", null, undefined, true]), String)`,
    `[${name}.BYTES_PER_ELEMENT, ${name}.name, ${name}.length, Object.prototype.toString.call(new ${name}(2)), new ${name}(2).byteLength]`,
    `[...new ${name}([3, -1, 2, 100]).sort(), ...new ${name}([3, 1, 2]).sort((a, b) => b - a)]`,
  ]),
  ...bigints.flatMap((name) => [
    `Array.from(new ${name}([0n, -1n, 2n ** 63n, 2n ** 64n + 5n, "12", true]), String)`,
    `String(new ${name}([3n, -1n, 2n]).sort())`,
  ]),
  // Construction
  `[...Uint8Array.from("123"), ...Uint8Array.of(1, 2), ...Uint8Array.from({ length: 2, 0: 7 }), ...Int16Array.from(new Set([1, 2]), (x, i) => x * 10 + i)]`,
  `[...new Float32Array(new Int8Array([1, -2]))]`,
  `(() => { const b = new ArrayBuffer(16); const a = new Uint16Array(b, 2, 3); a.set([1, 2, 0x1234]); return [a.length, a.byteOffset, a.byteLength, [...new Uint8Array(b)]] })()`,
  // Elements
  `(() => { const a = new Uint8Array(2); a[0] = 300; a[5] = 1; a["1"] = "7"; a["-0"] = 9; a[1.5] = 9; a.x = 3; return [[...a], Object.keys(a), a[5], a["-0"], 5 in a, 1 in a, "1.5" in a, delete a[7]] })()`,
  `JSON.stringify({ a: new Uint8Array([1, 2]), b: new Float64Array([1.5, NaN]) })`,
  `Object.entries(new Uint8Array([5, 6]))`,
  `(() => { "use strict"; try { delete new Uint8Array(2)[0] } catch (e) { return e.name } })()`,
  // Methods
  `[new Uint8Array([1, 2, 3]).map((x) => x * 100).join(), new Uint8Array([1, 2, 3]).filter((x) => x > 1).join("-"), new Int8Array([1, 2]).toString()]`,
  `[[...new Uint8Array([1, 2, 3, 4]).subarray(1, -1)], [...new Uint8Array([1, 2, 3, 4]).slice(-3, -1)], [...new Uint8Array([1, 2, 3, 4, 5]).copyWithin(1, 0, 3)], [...new Uint8Array(4).fill(7, 1, -1)]]`,
  `(() => { const a = new Float64Array([NaN, -0, 0, 2]); return [a.indexOf(NaN), a.includes(NaN), a.indexOf(0), a.lastIndexOf(2), a.indexOf("2"), a.includes(undefined), a.at(-1), a.findLast((x) => x < 1)] })()`,
  `(() => { const a = new Uint8Array([1, 2, 3, 4]); a.set(a.subarray(0, 3), 1); return [...a, ...a.toReversed(), ...a.reverse(), ...a.with(0, 9), ...a.toSorted()] })()`,
  `[...new Float64Array([5, -0, NaN, 0, -Infinity, 1]).sort()].map((x) => Object.is(x, -0) ? "-0" : String(x))`,
  `[new Uint8Array([1, 2, 3]).reduce((a, b) => a + b), new Uint8Array([1, 2, 3]).reduceRight((a, b) => a + "" + b), new Uint8Array([1, 2]).every(Boolean), new Uint8Array([0, 0]).some(Boolean)]`,
  `[[...new Uint8Array([7, 8]).entries()], [...new Uint8Array([7, 8]).keys()]]`,
  `(() => { class Bytes extends Uint8Array {} const b = new Bytes([1, 2]); return [b.map((x) => x).constructor.name, b.subarray(1).constructor.name, b.toReversed().constructor.name, Bytes.from([1]) instanceof Bytes] })()`,
  // Buffers
  `(() => { const b = new ArrayBuffer(8, { maxByteLength: 16 }); const a = new Uint8Array(b); b.resize(12); const grown = a.length; b.resize(2); return [grown, a.length, b.resizable, b.maxByteLength] })()`,
  `(() => { const b = new ArrayBuffer(8); const a = new Uint8Array(b); structuredClone(b, { transfer: [b] }); return [a.length, a.byteOffset, b.byteLength, a[0], ArrayBuffer.isView(a)] })()`,
  `[...new Uint8Array(new Uint8Array([1, 2, 3, 4]).buffer.slice(1, -1))]`,
  // DataView
  `(() => { const v = new DataView(new ArrayBuffer(16), 2, 12); v.setInt16(0, -2); v.setFloat32(2, 1.5, true); v.setUint32(6, 4294967295); return [v.getUint8(0), v.getInt16(0, true), v.getFloat32(2, true), v.getInt32(6), v.byteLength, v.byteOffset, [...new Uint8Array(v.buffer)]] })()`,
  `(() => { const v = new DataView(new ArrayBuffer(8)); v.setBigInt64(0, -5n); v.setFloat64(0, Math.PI); return [String(v.getBigUint64(0)), v.getFloat64(0)] })()`,
  // Text and clones
  `[...new TextEncoder().encode("hé€😀\\ud800")]`,
  `[new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 104, 0xc3, 0xa9, 0xff, 0xe2, 0x82])), new TextDecoder("utf8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf])).length]`,
  `(() => { const d = new TextDecoder(); return [d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }), d.decode(new Uint8Array([0xac, 65])), d.encoding, d.fatal] })()`,
  `new TextEncoder().encodeInto("a€b", new Uint8Array(4))`,
  `[btoa("hello ÿ"), atob(" aGVs bG8= "), atob(btoa("\\x00\\xff")).length, atob(""), btoa(1)]`,
  `(() => { const o = { d: new Date(5), r: /a+/gi, m: new Map([["k", { x: 1 }]]), s: new Set([1]), e: new RangeError("bad"), u: undefined, a: [1, , 3], t: new Uint8Array([1, 2]) }; o.self = o; const c = structuredClone(o); return [c.self === c, c.d.getTime(), String(c.r), c.m.get("k"), [...c.s], c.e instanceof RangeError, c.e.message, Object.keys(c), 1 in c.a, c.a.length, [...c.t], c.m !== o.m] })()`,
]

/** Expressions that throw. */
export const throws: ReadonlyArray<string> = [
  "Uint8Array(1)",
  "new Uint8Array(-1)",
  "new Uint16Array(new ArrayBuffer(3))",
  "new Uint16Array(new ArrayBuffer(4), 1)",
  "new Uint8Array(new ArrayBuffer(4), 5)",
  "new Uint8Array(new ArrayBuffer(4), 1, 9)",
  "new BigInt64Array([1])",
  "new Uint8Array([1n])",
  "new Uint8Array(2).set([1, 2, 3])",
  "new Uint8Array(2).with(2, 1)",
  "new Uint8Array([]).reduce((a) => a)",
  "new Uint8Array(1).sort(5)",
  "Object.freeze(new Uint8Array(1))",
  "new DataView({})",
  "new DataView(new ArrayBuffer(4), 5)",
  "new DataView(new ArrayBuffer(4)).getInt32(1)",
  "new ArrayBuffer(8, { maxByteLength: 4 })",
  "new ArrayBuffer(4).resize(2)",
  "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))",
  "new TextDecoder('nonsense')",
  "atob('a')",
  "btoa('€')",
  "structuredClone(() => {})",
  "structuredClone({ a: Symbol('s') })",
  "structuredClone(Promise.resolve())",
]

/** What the host may not have yet, with the value as JSON. */
export const newer: ReadonlyArray<readonly [expression: string, value: unknown]> = [
  [`[...new Float16Array([1.0009765625, 65520, 65519, 5.960464477539063e-8, 2.9802322387695312e-8, -0])].map(String)`, [
    "1.0009765625",
    "Infinity",
    "65504",
    "5.960464477539063e-8",
    "0",
    "0",
  ]],
  [`new Float16Array([0.1, 3, -2]).sort().join()`, "-2,0.0999755859375,3"],
  [`Uint8Array.fromBase64("aGVsbG8=").toHex()`, "68656c6c6f"],
  [`Uint8Array.fromHex("00ff10").toBase64({ alphabet: "base64url", omitPadding: true })`, "AP8Q"],
  [`new Uint8Array(3).setFromBase64("AQIDBAU=")`, { read: 4, written: 3 }],
  [`new Uint8Array(4).setFromHex("0a0b")`, { read: 4, written: 2 }],
  [
    `(() => { const b = new ArrayBuffer(4); const c = b.transfer(8); return [b.detached, b.byteLength, c.byteLength] })()`,
    [true, 0, 8],
  ],
  [
    `(() => { const v = new DataView(new ArrayBuffer(2)); v.setFloat16(0, 1.5); return [v.getFloat16(0), v.getUint16(0)] })()`,
    [1.5, 15872],
  ],
]
