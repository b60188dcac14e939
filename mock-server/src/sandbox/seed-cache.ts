import { makeSeeded, type SeededSetup, type SeededState } from './seeded-state.js'

const mostKept = 8
/** On a clock that runs, a seed may be this much older than the sandbox that starts from it. */
const mostAgeMs = 60_000

/** Seeds that were parsed and loaded once, for the sandboxes that start from the same. */
export class SeedCache {
  readonly #kept = new Map<string, { readonly madeAt: number; readonly made: Promise<SeededState> }>()

  /** @throws SeedError */
  get(setup: SeededSetup): Promise<SeededState> {
    const { seed, randomSeed, settings, clock } = setup
    const now = clock.now()
    const standsAt = clock.mode === 'frozen' ? now : null
    const key = JSON.stringify([seed.key, randomSeed, settings, standsAt])
    const known = this.#kept.get(key)
    if (known && now >= known.madeAt && now - known.madeAt <= mostAgeMs) return known.made
    const made = makeSeeded(setup)
    this.#kept.delete(key)
    this.#kept.set(key, { madeAt: now, made })
    made.catch(() => this.#kept.get(key)?.made === made && this.#kept.delete(key))
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > mostKept) this.#kept.delete(oldest)
    return made
  }
}
