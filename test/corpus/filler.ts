/** A log of these lines; a list is put in as it is. */
export function lines(...parts: readonly (string | readonly string[])[]): string {
  return `${parts.flat().join('\n')}\n`
}

/** `count` lines, each made from its number. */
export function many(count: number, line: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => line(index))
}

const NAMES =
  'cart order user invoice stock price refund coupon address basket ledger parcel'.split(' ')

/** A name that stands for a module or a file; it repeats with another number. */
export function name(index: number): string {
  const round = Math.floor(index / NAMES.length)
  return `${NAMES[index % NAMES.length]}${round === 0 ? '' : round}`
}

/** A number that varies from line to line, in the same way in each run. */
export function varied(index: number, below: number): number {
  return ((index * 7_919 + 104_729) % 10_007) % below
}

/** A time of day that grows. */
export function time(index: number): string {
  return new Date(Date.UTC(2026, 2, 1, 9, 0, index)).toISOString()
}

export const red = (text: string): string => `\u001b[31m${text}\u001b[0m`
export const green = (text: string): string => `\u001b[32m${text}\u001b[0m`
export const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`
