import type { ColorInputs } from '../io/color.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** What the pre-pass must know about a flag; a part of oclif's flag definition. */
export interface FlagSpec {
  readonly name: string
  readonly char?: string | undefined
  readonly type: 'boolean' | 'option'
  readonly multiple?: boolean | undefined
  /** The value of the flag when none is attached by `=`; such a flag never takes the next word. */
  readonly bare?: string | undefined
  readonly aliases?: readonly string[] | undefined
}

/** Marks a word as a value, so that the flag parser does not read `--x` as a flag there. */
const MARK = '\u0001'

function maskValue(value: string): string {
  return MARK + value
}

/** The value in a masked word; any other word is returned as it is. */
export function unmaskValue(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word
}

/** Splits a command line at the first `--`; the tail is null without one. */
export function cutTail(argv: readonly string[]): {
  head: readonly string[]
  tail: readonly string[] | null
} {
  const at = argv.indexOf('--')
  return at === -1
    ? { head: argv, tail: null }
    : { head: argv.slice(0, at), tail: argv.slice(at + 1) }
}

/** The colour flag of a command line that is not parsed: for help and for usage errors. */
export function typedColor(argv: readonly string[]): ColorInputs['flag'] {
  const words = cutTail(argv).head
  if (words.includes('--no-color')) return 'never'
  const at = words.findIndex((word) => word === '--color' || word.startsWith('--color='))
  if (at === -1) return undefined
  const value = words[at]?.split('=')[1] ?? words[at + 1]
  const isColor = value === 'always' || value === 'never' || value === 'auto'
  return isColor ? value : undefined
}

export type FlagTable = ReturnType<typeof flagTable>

export function flagTable(flags: readonly FlagSpec[]) {
  const byName = new Map<string, FlagSpec>()
  const byChar = new Map<string, FlagSpec>()
  for (const flag of flags) {
    for (const name of [flag.name, ...(flag.aliases ?? [])]) byName.set(name, flag)
    if (flag.char !== undefined) byChar.set(flag.char, flag)
  }
  const long = (name: string) => byName.get(name)
  const short = (letter: string) => byChar.get(letter)
  return { long, short, names: [...byName.keys()] }
}

/** The flags of oclif's definitions, each with its name. */
export function flagSpecs(flags: Readonly<Record<string, unknown>>): FlagSpec[] {
  return Object.entries(flags).map(([name, flag]) => ({
    ...(flag as Omit<FlagSpec, 'name'>),
    name,
  }))
}

export function isMasked(word: string): boolean {
  return word.startsWith(MARK)
}

/**
 * Rewrites a command line so that the flag parser cannot misread it: `--name=VALUE` is always a
 * value, `--name VALUE` is refused only if VALUE is a flag of the command, and the words behind the
 * first `--` stay as they are.
 */
export function canonicalize(words: readonly string[], table: FlagTable) {
  const { head, tail } = cutTail(words)
  const queue = [...head]
  const argv: string[] = []
  const seenOptions = new Set<string>()
  let help = false

  function addFlag({ flag, typed, attached }: TypedFlag): void {
    if (flag.type === 'boolean') {
      if (attached !== undefined) throw usageError(say`${typed} takes no value`)
      if (flag.name === 'help') help = true
      else argv.push(`--${flag.name}`)
      return
    }
    if (!flag.multiple && seenOptions.has(flag.name))
      throw usageError(say`${typed} was given twice; it takes one value`)
    seenOptions.add(flag.name)
    const value = attached ?? flag.bare ?? nextValue(queue, table, flag, typed)
    argv.push(`--${flag.name}`, maskValue(value))
  }

  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const isFlag = word.length > 1 && word.startsWith('-')
    if (!isFlag) argv.push(word)
    else if (word.startsWith('--')) addFlag(longFlag(word, table))
    else for (const flag of lettersOf(word, table)) addFlag(flag)
  }
  return { argv, tail, help }
}

/** A flag as it was typed, with the value in the same word if it has one. */
interface TypedFlag {
  readonly flag: FlagSpec
  /** `--name` or `-n`. */
  readonly typed: string
  readonly attached?: string | undefined
}

/** Reads `--name` or `--name=VALUE`. */
function longFlag(word: string, table: FlagTable): TypedFlag {
  const equals = word.indexOf('=')
  const typed = equals === -1 ? word : word.slice(0, equals)
  const flag = table.long(typed.slice(2))
  if (flag === undefined) throw unknownFlag(typed)
  return { flag, typed, attached: equals === -1 ? undefined : word.slice(equals + 1) }
}

/** Reads `-abc`, `-oVALUE` or `-o=VALUE`: behind the letter of an option stands its value. */
function* lettersOf(word: string, table: FlagTable): Iterable<TypedFlag> {
  for (let at = 1; at < word.length; at++) {
    const typed = `-${word.charAt(at)}`
    const flag = table.short(word.charAt(at))
    if (flag === undefined) throw unknownFlag(typed)
    if (flag.type === 'option') {
      const value = word.slice(at + 1).replace(/^=/u, '')
      const hasValue = at + 1 < word.length
      yield { flag, typed, attached: hasValue ? value : undefined }
      return
    }
    yield { flag, typed }
  }
}

/** The error is a usage error with the word itself, for a suggestion of near names. */
function unknownFlag(typed: string): Error {
  return Object.assign(usageError(say`unknown flag ${typed}`), { unknownFlag: typed })
}

function nextValue(queue: string[], table: FlagTable, flag: FlagSpec, typed: string): string {
  const word = queue.shift()
  if (word === undefined) throw usageError(say`${typed} needs a value`)
  if (isFlagWord(word, table)) {
    throw usageError(
      say`${typed} needs a value, and ${word} is a flag; write --${flag.name}=${word} if it is the value`,
    )
  }
  return word
}

function isFlagWord(word: string, table: FlagTable): boolean {
  if (word.startsWith('--')) return table.long(word.slice(2).split('=', 1)[0] ?? '') !== undefined
  return word.length === 2 && word.startsWith('-') && table.short(word.charAt(1)) !== undefined
}
