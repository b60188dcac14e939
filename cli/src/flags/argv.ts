import type { ColorInputs } from '../io/color.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** What the pre-pass must know of a flag; taken from the command's oclif flag definitions. */
export interface FlagSpec {
  readonly name: string
  readonly char?: string | undefined
  readonly type: 'boolean' | 'option'
  readonly multiple?: boolean | undefined
  /** The value of the flag when none is attached by `=`; such a flag never takes the next word. */
  readonly bare?: string | undefined
  readonly aliases?: readonly string[] | undefined
}

/**
 * Marks a word as a value, so that the flag parser takes it for nothing else, whatever it starts
 * with.
 */
const MARK = '\u0001'

function maskValue(value: string): string {
  return MARK + value
}

/** The value behind a masked word; a word that is not masked is its own value. */
export function unmaskValue(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word
}

export function cutTail(argv: readonly string[]): {
  head: readonly string[]
  tail: readonly string[] | null
} {
  const at = argv.indexOf('--')
  return at === -1
    ? { head: argv, tail: null }
    : { head: argv.slice(0, at), tail: argv.slice(at + 1) }
}

/**
 * What a command line says about colour, for those who speak before it is parsed: help and wrong
 * command lines.
 */
export function typedColor(argv: readonly string[]): ColorInputs['flag'] {
  const words = cutTail(argv).head
  if (words.includes('--no-color')) return 'never'
  const at = words.findIndex((word) => word === '--color' || word.startsWith('--color='))
  const value = at === -1 ? undefined : (words[at]?.split('=')[1] ?? words[at + 1])
  return value === 'always' || value === 'never' || value === 'auto' ? value : undefined
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

/** What the pre-pass needs of oclif's flag definitions. */
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
 * value, in `--name VALUE` only a word that is itself a flag of the command is refused, and what
 * stands behind the first `--` stays as it is.
 */
export function canonicalize(words: readonly string[], table: FlagTable) {
  const { head, tail } = cutTail(words)
  const argv: string[] = []
  const seen = new Set<string>()
  let help = false
  const queue = [...head]

  const option = (flag: FlagSpec, attached: string | undefined, typed: string) => {
    if (!flag.multiple && seen.has(flag.name))
      throw usageError(say`${typed} was given twice; it takes one value`)
    seen.add(flag.name)
    argv.push(
      `--${flag.name}`,
      maskValue(attached ?? flag.bare ?? nextValue(queue, table, flag, typed)),
    )
  }
  const boolean = (flag: FlagSpec) => {
    if (flag.name === 'help') help = true
    else argv.push(`--${flag.name}`)
  }

  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word.startsWith('--')) {
      const equals = word.indexOf('=')
      const name = word.slice(2, equals === -1 ? undefined : equals)
      const attached = equals === -1 ? undefined : word.slice(equals + 1)
      const flag = table.long(name)
      if (flag === undefined)
        throw Object.assign(usageError(say`unknown flag --${name}`), { unknownFlag: `--${name}` })
      if (flag.type === 'option') option(flag, attached, `--${name}`)
      else if (attached !== undefined) throw usageError(say`--${name} takes no value`)
      else boolean(flag)
    } else if (word.length > 1 && word.startsWith('-')) {
      readLetters(word, table, option, boolean)
    } else {
      argv.push(word)
    }
  }
  return { argv, tail, help }
}

function readLetters(
  word: string,
  table: FlagTable,
  option: (flag: FlagSpec, attached: string | undefined, typed: string) => void,
  boolean: (flag: FlagSpec) => void,
): void {
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at)
    const flag = table.short(letter)
    if (flag === undefined)
      throw Object.assign(usageError(say`unknown flag -${letter}`), { unknownFlag: `-${letter}` })
    if (flag.type === 'option') {
      const rest = word.slice(at + 1)
      option(
        flag,
        rest === '' ? undefined : rest.startsWith('=') ? rest.slice(1) : rest,
        `-${letter}`,
      )
      return
    }
    boolean(flag)
  }
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
