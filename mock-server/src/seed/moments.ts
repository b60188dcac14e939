const hour = 3_600_000
const day = 24 * hour

/** How busy each hour of a working day is, from midnight UTC. */
const byHour = [0, 0, 0, 0, 0, 0, 0.1, 0.4, 1, 2, 3, 2.6, 1.2, 2, 3, 3, 2.5, 1.5, 0.7, 0.4, 0.2, 0.1, 0, 0]
const weekend = 0.1

interface Span {
  /** Epoch ms. */
  readonly from: number
  readonly to: number
}

type Draw = (what: string, n: number) => number

const anyMoments = (count: number, { from, to }: Span, draw: Draw): readonly number[] =>
  Array.from({ length: count }, (_, n) => Math.floor(from + ((to - from) * (n + draw('at', n))) / count))

function workMoments(count: number, { from, to }: Span, draw: Draw): readonly number[] {
  const hours: { readonly at: number; readonly until: number }[] = []
  let total = 0
  for (let at = Math.ceil(from / hour) * hour; at + hour <= to; at += hour) {
    const weekday = new Date(at).getUTCDay()
    total += (byHour[new Date(at).getUTCHours()] ?? 0) * (weekday === 0 || weekday === 6 ? weekend : 1)
    hours.push({ at, until: total })
  }
  return Array.from({ length: count }, (_, n) => {
    const drawn = draw('hour', n) * total
    const chosen = hours.find((candidate) => drawn < candidate.until)
    return Math.floor((chosen?.at ?? from) + draw('at', n) * hour)
  }).sort((one, other) => one - other)
}

/** Two o'clock in the night, every day up to the end of the span. */
function nightMoments(count: number, { to }: Span): readonly number[] {
  const last = Math.floor((to - 2 * hour) / day) * day + 2 * hour
  return Array.from({ length: count }, (_, n) => last - (count - 1 - n) * day)
}

/** When the builds of a made-up history begin, in order; the same draws give the same moments. */
export const moments = { any: anyMoments, work: workMoments, night: nightMoments }
