import { makeSeeded, type SeededState } from './seeded-state.js'
import type { SandboxSetup } from './setup.js'

const mostKept = 8
/** On a clock that runs, a seed may be this much older than the sandbox that starts from it. */
const mostAgeMs = 60_000

/** Seeds that were parsed and loaded once, for the sandboxes that start from the same. */
export class SeedCache {
  readonly #kept = new Map<string, Promise<SeededState>>()

  /** @throws SeedError */
  async get(setup: SandboxSetup): Promise<SeededState> {
    const { seed, randomSeed, settings, accessTokens } = setup
    const frozen = setup.clock.mode === 'frozen'
    const key = JSON.stringify([
      seed.key,
      randomSeed,
      settings,
      accessTokens ?? {},
      frozen ? setup.clock.now() : 'running',
    ])
    const known = await this.#kept.get(key)
    const age = known === undefined ? 0 : setup.clock.now() - known.madeAt
    if (known !== undefined && (frozen || (age >= 0 && age <= mostAgeMs))) return known
    const made = makeSeeded(setup)
    this.#keep(key, made)
    try {
      return await made
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }

  #keep(key: string, made: Promise<SeededState>): void {
    this.#kept.delete(key)
    this.#kept.set(key, made)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(oldest)
    }
  }
}
