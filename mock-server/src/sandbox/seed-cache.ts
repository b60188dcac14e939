import { makeSeeded, type SeededSetup, type SeededState } from './seeded-state.js'

const mostKept = 8
/** On a clock that runs, a seed may be this much older than the sandbox that starts from it. */
const mostAgeMs = 60_000

/** Seeds that were parsed and loaded once, for the sandboxes that start from the same. */
export class SeedCache {
  readonly #kept = new Map<string, Promise<SeededState>>()

  /** @throws SeedError */
  async get(setup: SeededSetup): Promise<SeededState> {
    const { seed, randomSeed, settings, clock } = setup
    const standsAt = clock.mode === 'frozen' ? clock.now() : null
    const key = JSON.stringify([seed.key, randomSeed, settings, standsAt])
    const known = await this.#kept.get(key)
    const age = known === undefined ? -1 : clock.now() - known.madeAt
    if (known !== undefined && age >= 0 && age <= mostAgeMs) return known
    const made = makeSeeded(setup)
    this.#kept.delete(key)
    this.#kept.set(key, made)
    made.catch(() => this.#kept.delete(key))
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > mostKept) this.#kept.delete(oldest)
    return made
  }
}
