import type { SeedContext } from '../context.js'

const day = 86_400_000
const hour = 3_600_000

/** How busy each hour of a working day is, from midnight UTC. */
const byHour = [0, 0, 0, 0, 0, 0, 0.1, 0.4, 1, 2, 3, 2.6, 1.2, 2, 3, 3, 2.5, 1.5, 0.7, 0.4, 0.2, 0.1, 0, 0]
const weekend = 0.1

/** `count` moments of working days between two times, in order; the same context gives the same ones. */
export function workingMoments(context: SeedContext, count: number, from: number, to: number): readonly number[] {
  const hours: { readonly at: number; readonly until: number }[] = []
  let total = 0
  for (let at = Math.floor(from / hour) * hour; at < to; at += hour) {
    const weekday = new Date(at).getUTCDay()
    const weight = (byHour[new Date(at).getUTCHours()] ?? 0) * (weekday === 0 || weekday === 6 ? weekend : 1)
    if (at < from || at + hour > to || weight === 0) continue
    total += weight
    hours.push({ at, until: total })
  }
  return Array.from({ length: count }, (_, index) => {
    const drawn = context.dice('demo:hour', index) * total
    const chosen = hours.find((candidate) => drawn < candidate.until)
    return Math.floor((chosen?.at ?? from) + context.dice('demo:minute', index) * hour)
  }).sort((one, other) => one - other)
}

/** Two o'clock in the night, every day between two times. */
export function nights(count: number, before: number): readonly number[] {
  const last = Math.floor((before - 2 * hour) / day) * day + 2 * hour
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * day)
}
