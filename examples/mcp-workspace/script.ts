// What the scripted model says: a program over both servers, a write that needs approval, and an answer from what it read.
import { answer, call, program, result, type Turn } from "../shared/scripted-model.ts"

const survey = `const folder = "packages/toolkit/src/internal"
const listing = await tools.files.list_directory({ path: folder })
const names = listing.content.split("\\n").filter((line) => line.endsWith(".ts")).map((line) => line.replace("[FILE] ", ""))

// Every file at once, and the other server meanwhile.
const [weather, logo, ...texts] = await Promise.all([
  tools.everything["get-structured-content"]({ location: "Chicago" }),
  tools.everything["get-tiny-image"](),
  ...names.map((name) => tools.files.read_text_file({ path: folder + "/" + name })),
])
const lines = texts.map(({ content }) => content.split("\\n").length)

let outside
try {
  outside = await tools.files.read_text_file({ path: "/etc/hostname" })
} catch (error) {
  console.warn("outside:", error.code)
  outside = "refused"
}

const longest = Math.max(...lines)
return { files: names.length, longest: names[lines.indexOf(longest)], lines: longest, outside, weather, logo }`

interface Survey {
  readonly files: number
  readonly longest: string
  readonly lines: number
}

export const script: ReadonlyArray<Turn> = [
  program("call-1", survey),
  call("call-2", "files__write_file", (conversation) => {
    const { files, lines, longest } = result<Survey>(conversation, 0)
    return {
      path: /Note it in (\S+)\.$/.exec(conversation.request)?.[1],
      content: `${files} files. The longest is ${longest}, with ${lines} lines.\n`,
    }
  }),
  answer((conversation) => {
    const { files, lines, longest } = result<Survey>(conversation, 0)
    result(conversation, 1)
    return `I read ${files} files. The longest is ${longest}, with ${lines} lines. I noted that down.`
  }),
]
