// Events of a year summed up by day, by week and by month, with gaps, streaks and a moving average.
;(async function() {
  const events = await tools.events({ year: 2025 })
  const perDay = new Map()
  for (const { at, minutes } of events) {
    const day = new Date(at).toISOString().slice(0, 10)
    const known = perDay.get(day) ?? { count: 0, minutes: 0 }
    known.count++
    known.minutes += minutes
    perDay.set(day, known)
  }

  const DAY = 24 * 60 * 60 * 1000
  const days = []
  for (let time = Date.UTC(2025, 0, 1); time < Date.UTC(2026, 0, 1); time += DAY) {
    const date = new Date(time)
    const key = date.toISOString().slice(0, 10)
    days.push({
      key,
      weekday: date.getUTCDay(),
      month: date.getUTCMonth(),
      ...(perDay.get(key) ?? { count: 0, minutes: 0 }),
    })
  }

  const weeks = []
  for (let i = 0; i < days.length; i += 7) {
    const week = days.slice(i, i + 7)
    weeks.push({ from: week[0].key, minutes: week.reduce((sum, { minutes }) => sum + minutes, 0) })
  }
  const months = Array.from({ length: 12 }, (_, month) => {
    const own = days.filter((day) => day.month === month)
    return {
      month: month + 1,
      count: own.reduce((sum, { count }) => sum + count, 0),
      busy: own.filter(({ count }) => count > 0).length,
    }
  })
  let streak = 0
  let longest = { length: 0, until: null }
  for (const { count, key } of days) {
    streak = count > 0 ? streak + 1 : 0
    if (streak > longest.length) longest = { length: streak, until: key }
  }
  const average = days.map((_, i) => {
    const window = days.slice(Math.max(0, i - 6), i + 1)
    return window.reduce((sum, { minutes }) => sum + minutes, 0) / window.length
  })
  const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map((name, weekday) => ({
    name,
    minutes: days.filter((day) => day.weekday === weekday).reduce((sum, { minutes }) => sum + minutes, 0),
  }))
  return {
    weeks: weeks.toSorted((a, b) => b.minutes - a.minutes).slice(0, 3),
    months,
    longest,
    peak: Math.max(...average).toFixed(2),
    weekdays,
  }
})()
