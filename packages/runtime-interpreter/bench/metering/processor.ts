import { readFileSync } from "node:fs"

/** Where Linux tells what a process's first thread used of the processors, in nanoseconds. */
const file = `/proc/self/task/${process.pid}/schedstat`

const ofThread = (): number => Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6

const ofProcess = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const choose = (): () => number => {
  try {
    return ofThread() >= 0 ? ofThread : ofProcess
  } catch {
    return ofProcess
  }
}

/** Milliseconds that this thread has used of the processors; of the whole process where the system does not tell. */
export const used: () => number = choose()
