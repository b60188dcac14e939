import { digest } from '../base/digest.js'
import { drawSecret, type Ids, seededIds } from '../base/ids.js'
import type { SandboxContext } from '../request/context.js'
import type { SeedContext } from '../seed/context.js'
import type { Loaded } from '../seed/load.js'
import { memoryStore, putInto } from '../store/open-store.js'
import { State } from '../store/state.js'
import type { Transaction } from '../store/store.js'
import type { SandboxSetup } from './setup.js'

type Setup = Pick<SandboxSetup, 'seed' | 'clock' | 'randomSeed' | 'settings' | 'accessTokens'>

interface Secrets extends Pick<Ids, 'secret'> {
  drawn(kind: 'accessToken' | 'clientSecret', name: string): void
}

const accessPrefix = ({ settings }: Setup): string => settings.tokenPrefixes.access

/** What a document draws on when it is applied to a sandbox that runs. */
export const drawnFrom = ({
  clock,
  ids,
  settings,
}: Pick<SandboxContext, 'clock' | 'ids' | 'settings'>): SeedContext => ({
  now: clock.now(),
  uuid: (noun) => ids.uuid(noun),
  dice: (stream, n) => ids.dice(stream, n),
  accessToken: () => drawSecret(ids, settings.tokenPrefixes.access),
  clientSecret: () => drawSecret(ids),
})

/** Writes a sandbox's seed. @throws SeedError */
export const fillSeed = (tx: Transaction, setup: Setup, ids: Ids, secrets: Secrets): Loaded => {
  const givenAccessToken = (name: string): string | undefined => {
    const given = setup.accessTokens ?? {}
    return Object.hasOwn(given, name) ? given[name] : undefined
  }
  const context: SeedContext = {
    ...drawnFrom({ clock: setup.clock, ids, settings: setup.settings }),
    givenAccessToken,
    accessToken: (name) => {
      const given = givenAccessToken(name)
      if (given !== undefined) return given
      secrets.drawn('accessToken', name)
      return drawSecret(secrets, accessPrefix(setup))
    },
    clientSecret: (client_id) => {
      secrets.drawn('clientSecret', client_id)
      return drawSecret(secrets)
    },
  }
  return setup.seed.fill(tx, context, { extraScopes: setup.settings.extraScopes })
}

/** What a seed made once, for many sandboxes to start from. Nobody writes to its state any more. */
export interface SeededState {
  readonly state: State
  readonly seeded: Loaded
  /** Time of the clock that it was made by, epoch ms. */
  readonly madeAt: number
  readonly accessTokens: readonly string[]
  readonly clientSecrets: readonly string[]
}

export const makeSeeded = async (setup: Setup): Promise<SeededState> => {
  const state = new State()
  const ids = seededIds(setup.randomSeed, state.counters)
  const drawn = { accessToken: new Set<string>(), clientSecret: new Set<string>() }
  const madeAt = setup.clock.now()
  const seeded = await memoryStore(state).update((tx) =>
    fillSeed(tx, setup, ids, { secret: (length) => ids.secret(length), drawn: (kind, name) => drawn[kind].add(name) }),
  )
  return { state, seeded, madeAt, accessTokens: [...drawn.accessToken], clientSecrets: [...drawn.clientSecret] }
}

/** A state of one's own over a shared one, with secrets of its own: no token of one sandbox is known in another. */
export const forkSeeded = (base: SeededState, setup: Setup): { readonly state: State; readonly seeded: Loaded } => {
  const state = base.state.fork()
  const ids = seededIds(setup.randomSeed)
  const accessTokens = base.accessTokens.map((name) => [name, drawSecret(ids, accessPrefix(setup))] as const)
  for (const [name, value] of accessTokens) {
    const record = state.find('accessTokenByName', name)
    if (record) putInto(state, 'accessTokens', { ...record, digest: digest(value) })
  }
  const clientSecrets = base.clientSecrets.map((client_id) => [client_id, drawSecret(ids)] as const)
  for (const [client_id, value] of clientSecrets) {
    const record = state.find('applicationByClientId', client_id)
    if (record) putInto(state, 'applications', { ...record, clientSecretDigest: digest(value) })
  }
  const seeded = {
    ...base.seeded,
    accessTokens: { ...base.seeded.accessTokens, ...Object.fromEntries(accessTokens) },
    clientSecrets: { ...base.seeded.clientSecrets, ...Object.fromEntries(clientSecrets) },
  }
  return { state, seeded }
}
