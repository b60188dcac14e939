import { seededIds } from '../../mock-server/src/base/ids.js'
import type { LoadResult } from '../../mock-server/src/seed/load.js'
import type { SeedContext } from '../../mock-server/src/seed/loading.js'
import { openSeed, type SeedOption, seedFromText } from '../../mock-server/src/seed/seed.js'
import { memoryStore } from '../../mock-server/src/store/open-store.js'
import { State } from '../../mock-server/src/store/state.js'
import type { Store } from '../../mock-server/src/store/store.js'

export const scratchNow = Date.parse('2026-03-01T09:00:00.000Z')

/** An empty store in memory, with the context for loading a seed. */
export const scratchStore = (now = scratchNow) => {
  const state = new State()
  const ids = seededIds(1, state.counters)
  const context: SeedContext = {
    now,
    extraScopes: [],
    uuid: (noun) => ids.uuid(noun),
    dice: (stream, n) => ids.dice(stream, n),
    accessToken: (name) => `generated-${name}`,
    clientSecret: (client_id) => `secret-of-${client_id}`,
  }
  return { store: memoryStore(state) as Store, context }
}

/** A store with this seed: a YAML text, or a value of the option `seed`. */
export const seeded = async (seed: SeedOption | { yaml: string }, now = scratchNow) => {
  const { store, context } = scratchStore(now)
  const opened =
    typeof seed === 'object' && 'yaml' in seed
      ? await seedFromText(seed.yaml, 'acme.yaml')
      : await openSeed(seed)
  const loaded: LoadResult = await store.update((tx) => opened.fill(tx, context))
  return { store, context, loaded, state: store.state }
}
