import type {
  AlphabetLowercase,
  AlphabetUppercase,
  Arg,
  BooleanFlag,
  OptionFlag,
} from '@oclif/core/interfaces'
import { naming, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { unmaskValue } from './argv.js'

export interface FlagText {
  readonly summary: string
  readonly char?: AlphabetLowercase | AlphabetUppercase
  readonly helpValue?: string
  readonly aliases?: string[]
}

export type FlagValues<F> = { readonly [K in keyof F]?: FlagValue<F[K]> | undefined }

type FlagValue<F> =
  F extends OptionFlag<infer V> ? V : F extends BooleanFlag<unknown> ? boolean | undefined : never

export interface BareFlag extends OptionFlag<string | undefined> {
  readonly bare: string
}

export interface ChoiceFlag<T> extends OptionFlag<T> {
  readonly choices: readonly string[]
}

/** Reads one word of a flag. Only words that may be wrong need time, to look for similar ones. */
type ReadWord<V> = (value: string) => V | Promise<V>

/** Builds oclif's flag object; the command gets a `T`, one word is read as a `V`. */
function option<T, V>(read: ReadWord<V>, text: FlagText, multiple: boolean): OptionFlag<T> {
  const parse = async (word: string, _: unknown, { name }: { name: string }): Promise<V> => {
    try {
      return await read(unmaskValue(word))
    } catch (error) {
      return naming(`--${name}`, () => {
        throw error
      })
    }
  }
  return {
    ...text,
    name: '',
    type: 'option',
    input: [],
    multiple,
    ...(multiple ? { multipleNonGreedy: true } : {}),
    // oclif derives the type of one value from T by a conditional type that no generic function can
    // satisfy.
    parse: parse as unknown as OptionFlag<T>['parse'],
  }
}

/** A flag whose value `read` parses; errors begin with the name of the flag. */
export function parsedFlag<T>(read: ReadWord<T>, text: FlagText) {
  return option<T | undefined, T>(read, text, false)
}

export function parsedFlags<T>(read: ReadWord<T>, text: FlagText) {
  return option<T[] | undefined, T>(read, text, true)
}

/** A flag that takes one text, byte for byte. */
export function textFlag(text: FlagText) {
  return parsedFlag(String, text)
}

/** A repeatable flag; values may contain commas. */
export function textsFlag(text: FlagText) {
  return parsedFlags(String, text)
}

/** A repeatable flag whose values are split at commas and blanks. */
export function wordsFlag(text: FlagText): OptionFlag<string[][] | undefined> {
  return parsedFlags(splitWords, text)
}

function splitWords(value: string): string[] {
  const words = value.split(/[\s,]+/u).filter((word) => word !== '')
  if (words.length === 0)
    throw usageError(say`an empty list matches nothing; leave the flag out or name a value`)
  return words
}

/**
 * As {@link wordsFlag}, for states. A word that differs from a known state by a slip is refused; the
 * server decides about any other word.
 */
export function statesFlag(known: readonly string[], text: FlagText) {
  const read = async (value: string): Promise<string[]> => {
    const words = splitWords(value)
    for (const word of words) {
      const lines = known.includes(word) ? [] : await nearLines(word, known)
      if (lines.length > 0)
        throw usageError(say`there is no state ${JSON.stringify(word)}`, { lines })
    }
    return words
  }
  return parsedFlags(read, text)
}

async function nearLines(typed: string, known: readonly string[]) {
  const { didYouMean, nearest } = await import('./nearest.js')
  return didYouMean(nearest(typed, known))
}

export function numberFlag(name: string, min: number, text: FlagText & { max?: number }) {
  const { max = Number.MAX_SAFE_INTEGER, ...rest } = text
  return parsedFlag((value) => {
    const number = /^\d{1,16}$/u.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) {
      const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
      throw usageError(say`--${name} takes a whole number ${range}, not ${JSON.stringify(value)}`)
    }
    return number
  }, rest)
}

/** One word of a closed list. */
export function choiceFlag<const T extends string>(
  name: string,
  choices: readonly T[],
  text: FlagText,
): ChoiceFlag<T | undefined> {
  const read = async (value: string): Promise<T> => {
    const chosen = choices.find((choice) => choice === value)
    if (chosen !== undefined) return chosen
    throw usageError(say`--${name} is one of ${choices.join(', ')}, not ${JSON.stringify(value)}`, {
      lines: await nearLines(value, choices),
    })
  }
  return { ...parsedFlag(read, { helpValue: choices.join('|'), ...text }), choices }
}

/** A flag whose value is attached by `=` or left out; it never takes the next word. */
export function bareFlag(bare: string, text: FlagText): BareFlag {
  return { ...textFlag(text), bare }
}

export function switchFlag(text: FlagText): BooleanFlag<boolean> {
  return { ...text, name: '', type: 'boolean', allowNo: false, parse: async (value) => value }
}

interface ArgText {
  readonly description: string
  readonly required?: boolean
}

/** An argument: one text, never read from stdin. */
export function textArg(text: ArgText): Arg<string | undefined> {
  return {
    ...text,
    name: '',
    input: [],
    ignoreStdin: true,
    parse: async (word) => unmaskValue(word),
  }
}

/** The last argument, any number of texts; oclif parses each and collects them. */
export function textsArg(text: ArgText): Arg<string[] | undefined> {
  return { ...textArg(text), multiple: true } as unknown as Arg<string[] | undefined>
}
