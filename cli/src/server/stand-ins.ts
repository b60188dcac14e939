/** Words that are common in builds and identify no person; every other word is replaced. */
const COMMON = new Set(
  `a add all an and android api app apps approve arm64 as assets at backend bench browser build builds bump by cache cd
  check chore ci clean cli client code command commit compile config container coverage dark default deploy deployment
  dev dist do docker docs down e2e end env eslint feat feature file files fix fmt focus for format frontend gate go
  head hotfix image in install integration ios is job jobs js latest lib lint linux load local lock log mac macos
  main make master merge mobile mode node npm nx of on or package page pipeline pnpm prettier prod production publish
  pull push python queue race refactor refs release remove report reports request reset retry review revert rocket
  run rust sandbox scan scripts search server service setup show smoke src staging start step steps stop style sync sys
  target task test tests the to tool tools trunk ts type types typecheck ubuntu ui unit up update upload use verify
  version vite vitest wait warm web when white windows wip with without xml yarn yml
  agent cancel error incompatible lost process reason refused signature stack status rejected exit`.split(
    /\s+/u,
  ),
)

/**
 * A word: every character that is not ASCII punctuation, a blank or a part of an emoji, since a text
 * can also be spelt with circled, regional, braille and invisible letters.
 */
const WORD =
  /(?:[A-Za-z0-9\u24c2\u3297\u3299\u{1f100}-\u{1f2ff}]|(?!\u200d|\ufe0f)[^\p{ASCII}\p{White_Space}\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f100}-\u{1f2ff}]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|(?<!\p{Extended_Pictographic})\ufe0f)+/gu

/** Numbers texts from 1 in the order of their first use; equal texts get equal numbers. */
function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>()
  return (text) => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
}

export type StandIns = ReturnType<typeof standIns>

/**
 * Replacements for the values of a service in a captured seed. Equal values get equal
 * replacements, so that capturing a server that was started from a captured seed gives that seed.
 */
export function standIns(keep: readonly string[] = []) {
  const keptWords = new Set(keep.flatMap((text) => text.toLowerCase().match(WORD) ?? []))
  const numberOfWord = createNumbering()
  const numberOfValue = createNumbering()
  const numberOfCommit = createNumbering()
  const numberOfAgent = createNumbering()
  const people = new Map<string, { readonly email: string; readonly name: string }>()
  return {
    /** A text whose words are replaced, except common ones; undefined if it is not a string. */
    words(text: unknown, longest = 250): string | undefined {
      if (typeof text !== 'string') return undefined
      const isKept = (word: string) =>
        COMMON.has(word.toLowerCase()) || keptWords.has(word.toLowerCase())
      return text
        .replace(WORD, (word) => (isKept(word) ? word : `x${numberOfWord(word)}`))
        .slice(0, longest)
    },
    /** A replacement of a value; only booleans stay. */
    value: (value: unknown): string | boolean =>
      typeof value === 'boolean' ? value : `value ${numberOfValue(String(value))}`,
    commit(commit: unknown): string {
      if (commit === 'HEAD') return commit
      return numberOfCommit(String(commit)).toString(16).padStart(40, '0')
    },
    agent: (name: string): string => `agent-${numberOfAgent(name)}`,
    /** The replacement of a person, who is identified by address, or by name without one. */
    person({ email, name }: { readonly email?: unknown; readonly name?: unknown }) {
      const identity = String(email ?? name).toLowerCase()
      const number = people.size + 1
      const person = people.get(identity) ?? {
        email: `person-${number}@people.example`,
        name: `Person ${number}`,
      }
      people.set(identity, person)
      return person
    },
    /** All people so far, in the order of their first use. */
    people: () => [...people.values()],
  }
}
