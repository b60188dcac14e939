/** Words of builds that say nothing about anybody; each other word is replaced. */
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

/** Letters and digits of any script; what stands between them is kept. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Numbers things in the order in which they are met; the same thing has the same number. */
function numbers(): (thing: string) => number {
  const known = new Map<string, number>()
  return (thing) => {
    const number = known.get(thing) ?? known.size + 1
    known.set(thing, number)
    return number
  }
}

export type StandIns = ReturnType<typeof standIns>

/**
 * What stands in a seed for what a service told. Equal things get equal stand-ins, and a stand-in
 * stands for itself: a seed that was captured from a captured one is the same.
 */
export function standIns(keep: readonly string[] = []) {
  const kept = new Set(keep.flatMap((text) => text.toLowerCase().match(WORD) ?? []))
  const [words, values, commits, agents] = [numbers(), numbers(), numbers(), numbers()]
  const people = new Map<string, { readonly email: string; readonly name: string }>()
  return {
    /** A text with each word replaced that is not a common one; undefined for what is no text. */
    words(text: unknown, longest = 250): string | undefined {
      if (typeof text !== 'string') return undefined
      const isCommon = (word: string) =>
        COMMON.has(word.toLowerCase()) || kept.has(word.toLowerCase())
      return text
        .replace(WORD, (word) => (isCommon(word) ? word : `x${words(word)}`))
        .slice(0, longest)
    },
    /** A value of which nothing is kept but whether it is true or false. */
    value: (value: unknown): string | boolean =>
      typeof value === 'boolean' ? value : `value ${values(String(value))}`,
    commit(commit: unknown): string {
      return commit === 'HEAD' ? commit : commits(String(commit)).toString(16).padStart(40, '0')
    },
    agent: (name: string): string => `agent-${agents(name)}`,
    /** A person of the seed; one without an address is known by name. */
    person(told: { readonly email?: unknown; readonly name?: unknown }) {
      const known = String(told.email ?? told.name).toLowerCase()
      const number = people.size + 1
      const person = people.get(known) ?? {
        email: `person-${number}@people.example`,
        name: `Person ${number}`,
      }
      people.set(known, person)
      return person
    },
    /** Everyone who was met, in order. */
    people: () => [...people.values()],
  }
}
