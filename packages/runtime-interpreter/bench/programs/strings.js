// Text put together, split and searched.
;(function() {
  let text = ""
  for (let i = 0; i < 60_000; i++) text += `${i % 97},`
  const words = text.split(",")
  let found = 0
  for (const word of words) {
    if (word.startsWith("4") || word.includes("7")) found += word.length
  }
  const shout = words.slice(0, 20_000).map((word) => word.padStart(3, "0").toUpperCase()).join("-")
  return found * 1000 + shout.length + shout.charCodeAt(1234)
})()
