import { digest } from '../base/digest.js'
import { drawSecret, type Ids, seededIds } from '../base/ids.js'
import type { SandboxContext } from '../request/context.js'
import type { SeedContext } from '../seed/context.js'
import type { Loaded } from '../seed/load.js'
import { memoryStore, putInto } from '../store/open-store.js'
import { State } from '../store/state.js'
import type { Transaction } from '../store/store.js'
import type { SandboxSetup } from './setup.js'

export type SeededSetup = Pick<SandboxSetup, 'seed' | 'clock' | 'randomSeed' | 'settings' | 'accessTokens'>

/** What a document draws on when it is applied to a sandbox that runs. */
export const drawnFrom = ({
  clock,
  ids,
  settings,
}: Pick<SandboxContext, 'clock' | 'ids' | 'settings'>): SeedContext => ({
  now: clock.now(),
  extraScopes: settings.extraScopes,
  uuid: (noun) => ids.uuid(noun),
  dice: (stream, n) => ids.dice(stream, n),
  accessToken: () => drawSecret(ids, settings.tokenPrefixes.access),
  clientSecret: () => drawSecret(ids),
})

/** Writes a sandbox's seed. `drawn` hears the name of each access token whose value nobody gave. @throws SeedError */
export function fillSeed(tx: Transaction, setup: SeededSetup, ids: Ids, drawn?: (name: string) => void): Loaded {
  const { seed, clock, settings } = setup
  const context = drawnFrom({ clock, ids, settings })
  const given = new Map(Object.entries(setup.accessTokens ?? {}))
  const accessToken = (name: string): string => {
    drawn?.(name)
    return context.accessToken(name)
  }
  return seed.fill(tx, { ...context, givenAccessToken: (name) => given.get(name), accessToken })
}

/** What a seed made once, for many sandboxes to start from. Nobody writes to its state any more. */
export interface SeededState {
  readonly state: State
  readonly seeded: Loaded
  /** Names of the access tokens whose values were drawn. */
  readonly drawn: ReadonlySet<string>
}

/** @throws SeedError */
export async function makeSeeded(setup: SeededSetup): Promise<SeededState> {
  const state = new State()
  const ids = seededIds(setup.randomSeed, state.counters)
  const drawn = new Set<string>()
  const seeded = await memoryStore(state).update((tx) => fillSeed(tx, setup, ids, (name) => drawn.add(name)))
  return { state, seeded, drawn }
}

/** A state of one's own over shared records, with tokens of its own: none of one sandbox is known in another. */
export function forkSeeded(base: SeededState, { settings }: SeededSetup): Pick<SeededState, 'state' | 'seeded'> {
  const state = new State(base.state)
  const ids = seededIds()
  const accessTokens = { ...base.seeded.accessTokens }
  for (const name of base.drawn) {
    const record = state.find('accessTokenByName', name)
    const value = drawSecret(ids, settings.tokenPrefixes.access)
    accessTokens[name] = value
    if (record) putInto(state, 'accessTokens', { ...record, digest: digest(value) })
  }
  return { state, seeded: { ...base.seeded, accessTokens } }
}
