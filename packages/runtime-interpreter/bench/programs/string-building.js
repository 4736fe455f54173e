// Strings built character by character, line by line and in pieces: an escaper, a wrapper of text, two encoders, a table.
;(function() {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }
  const escape = (text) => {
    let result = ""
    for (const character of text) result += escapes[character] ?? character
    return result
  }

  const wrap = (text, width) => {
    const lines = []
    let line = ""
    for (const word of text.split(" ")) {
      if (line.length + word.length + 1 > width && line !== "") {
        lines.push(line)
        line = word
      } else line = line === "" ? word : `${line} ${word}`
    }
    lines.push(line)
    return lines
  }

  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  const base64 = (text) => {
    let result = ""
    for (let i = 0; i < text.length; i += 3) {
      const a = text.charCodeAt(i)
      const b = text.charCodeAt(i + 1)
      const c = text.charCodeAt(i + 2)
      result += digits[a >> 2] + digits[((a & 3) << 4) | (b >> 4)]
      result += Number.isNaN(b) ? "=" : digits[((b & 15) << 2) | (c >> 6)]
      result += Number.isNaN(c) ? "=" : digits[c & 63]
    }
    return result
  }

  const shorten = (text) => {
    const parts = []
    for (let i = 0; i < text.length;) {
      let end = i + 1
      while (end < text.length && text[end] === text[i]) end++
      parts.push(end - i > 1 ? `${end - i}${text[i]}` : text[i])
      i = end
    }
    return parts.join("")
  }

  const table = (rows) => {
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
    return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join(" | ").trimEnd()).join("\n")
  }

  let text = ""
  for (let i = 0; i < 1500; i++) {
    text += `${i % 3 === 0 ? "<b>" : "a & b"} "${(i * 7919) % 1000}" ${"x".repeat(i % 6)}y `
  }
  const escaped = escape(text.slice(0, 12_000))
  const lines = wrap(text, 72)
  const encoded = base64(text.slice(0, 9000))
  const short = shorten(text.slice(0, 9000))
  const drawn = table(lines.slice(0, 200).map((line, i) => [String(i), line.slice(0, 10 + i % 20), line.toUpperCase()]))
  const reversed = Array.from(lines[5]).toReversed().join("")
  let sum = 0
  for (const part of [escaped, encoded, short, drawn, reversed]) {
    for (let i = 0; i < part.length; i += 11) sum = (sum * 31 + part.charCodeAt(i)) % 1_000_003
  }
  return {
    escaped: escaped.length,
    lines: lines.length,
    encoded: encoded.length,
    short: short.length,
    drawn: drawn.length,
    sum,
  }
})()
