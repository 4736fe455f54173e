// What the scripted model says: one program, and an answer from what it gave.
import { answer, program, result, type Turn } from "../shared/scripted-model.ts"

const warmest = `const cities = ["Oslo", "Rome", "Cairo", "Lima", "Atlantis"]
const readings = await Promise.all(cities.map(async (city) => {
  try {
    const { station } = await tools.stations.find({ city })
    const { celsius } = await tools.stations.read({ station })
    return { city, celsius }
  } catch (error) {
    console.warn(city + ":", error.message)
    return { city, celsius: null }
  }
}))
return readings.sort((a, b) => b.celsius - a.celsius)[0]`

export const script: ReadonlyArray<Turn> = [
  program("call-1", warmest),
  answer((conversation) => {
    const { celsius, city } = result<{ readonly city: string; readonly celsius: number }>(conversation, 0)
    return `${city}, with ${celsius} degrees.`
  }),
]
