import { withoutNumbers } from '../requests.js'

/** What a program prints, without times, numbers and ids. */
export function printedLines(output: string): ReadonlySet<string> {
  const lines = output.split('\n').map((line) => withoutNumbers(line).trim())
  return new Set(lines.filter((line) => line !== ''))
}

/** How often a record is named in a text. */
export function timesNamed(output: string | null, name: unknown): number {
  const words = (output ?? '').match(/[\w-]+/g) ?? []
  return words.filter((word) => word === String(name)).length
}
