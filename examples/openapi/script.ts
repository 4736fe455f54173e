// What the scripted model says: a program over all pages, a call that needs approval, and an answer from what it read.
import { answer, call, program, result, type Turn } from "../shared/scripted-model.ts"

const unanswered = `const pages = await Promise.all(
  [1, 2, 3, 4, 5].map((page) => tools.tracker.issues.list({ page: String(page) })),
)
const issues = pages.flat()
const waiting = issues.filter(({ open, comments }) => open && comments === 0)

let missing
try {
  await tools.tracker.issues.get({ id: "1000" })
} catch (error) {
  console.warn("issue 1000:", error.message)
  missing = error.code
}
return { issues: issues.length, waiting: waiting.length, oldest: waiting.slice(0, 3), missing }`

interface Unanswered {
  readonly issues: number
  readonly waiting: number
  readonly oldest: ReadonlyArray<{ readonly id: number; readonly title: string }>
}

export const script: ReadonlyArray<Turn> = [
  program("call-1", unanswered),
  call("call-2", "tracker__issues__close", (conversation) => ({
    id: String(result<Unanswered>(conversation, 0).oldest[0]!.id),
    reason: "Nobody could reproduce it",
  })),
  answer((conversation) => {
    const { issues, oldest, waiting } = result<Unanswered>(conversation, 0)
    const closed = result<{ readonly id: number; readonly open: boolean }>(conversation, 1)
    return [
      `${waiting} of ${issues} issues are open and have no comment. The oldest:`,
      ...oldest.map(({ id, title }) => `- #${id} ${title}`),
      `I closed #${closed.id}.`,
    ].join("\n")
  }),
]
