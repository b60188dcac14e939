import { digest } from '../base/digest.js'
import { drawSecret, type Ids, seededIds } from '../base/ids.js'
import { VirtualClock } from '../base/virtual-clock.js'
import type { SandboxContext } from '../request/exchange.js'
import type { LoadResult } from '../seed/load.js'
import type { SeedContext } from '../seed/loading.js'
import { openSeed, type Seed } from '../seed/seed.js'
import { defaultSettings, type Settings } from '../seed/settings.js'
import { type SeedDocument, seedSchema } from '../seed/tables.js'
import { memoryStore, putInto } from '../store/open-store.js'
import { State } from '../store/state.js'
import type { Transaction } from '../store/store.js'
import type { SandboxSetup } from './options.js'

type SeededSetup = Pick<SandboxSetup, 'seed' | 'clock' | 'randomSeed' | 'settings' | 'accessTokens'>
/** Returns the value of an access token without a value of its own; `draw` makes a random one. */
type TokenOf = (name: string, draw: () => string) => string
const drawnToken: TokenOf = (_, draw) => draw()

/** What a document needs when it is applied to a running sandbox. */
export function drawnFrom({
  clock,
  ids,
  settings,
}: Pick<SandboxContext, 'clock' | 'ids' | 'settings'>): SeedContext {
  return {
    now: clock.now(),
    extraScopes: settings.extraScopes,
    uuid: (noun) => ids.uuid(noun),
    dice: (stream, n) => ids.dice(stream, n),
    accessToken: () => drawSecret(ids, settings.tokenPrefixes.access),
    clientSecret: () => drawSecret(ids),
  }
}

/** Writes a sandbox's seed. @throws SeedError */
export function fillSeed(
  tx: Transaction,
  setup: SeededSetup,
  ids: Ids,
  tokenOf = drawnToken,
): LoadResult {
  const { seed, clock, settings } = setup
  const context = drawnFrom({ clock, ids, settings })
  const chosen = new Map(Object.entries(setup.accessTokens ?? {}))
  const givenAccessToken = (name: string) => chosen.get(name)
  const accessToken = (name: string) => tokenOf(name, () => context.accessToken(name))
  return seed.fill(tx, { ...context, givenAccessToken, accessToken })
}

/** The state of a loaded seed, from which many sandboxes start. It is not written any more. */
export interface SeededState {
  readonly state: State
  readonly seeded: LoadResult
  /** Names of the access tokens whose values were drawn. */
  readonly drawn: ReadonlySet<string>
}

/** @throws SeedError */
async function makeSeeded(setup: SeededSetup): Promise<SeededState> {
  const state = new State()
  const ids = seededIds(setup.randomSeed, state.counters)
  const drawn = new Set<string>()
  const tokenOf: TokenOf = (name, draw) => {
    drawn.add(name)
    return draw()
  }
  const seeded = await memoryStore(state).update((tx) => fillSeed(tx, setup, ids, tokenOf))
  return { state, seeded, drawn }
}

/** A new state over the shared records. Its drawn tokens get values that no other sandbox has. */
export function forkSeeded(
  base: SeededState,
  { settings }: SeededSetup,
): Pick<SeededState, 'state' | 'seeded'> {
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

const mostKept = 8
/** On a running clock, a loaded seed is used for new sandboxes for this long. */
const mostAgeMs = 60_000

/** Keeps the last loaded seeds, so that sandboxes with the same seed start fast. */
export class SeedCache {
  readonly #kept = new Map<
    string,
    { readonly madeAt: number; readonly made: Promise<SeededState> }
  >()

  /** @throws SeedError */
  get(setup: SeededSetup): Promise<SeededState> {
    const { seed, randomSeed, settings, clock } = setup
    const now = clock.now()
    const frozenAt = clock.mode === 'frozen' ? now : null
    const key = JSON.stringify([seed.key, randomSeed, settings, frozenAt])
    const kept = this.#kept.get(key)
    const isFresh = kept && now >= kept.madeAt && now - kept.madeAt <= mostAgeMs
    if (isFresh) return kept.made

    const made = makeSeeded(setup)
    this.#kept.delete(key)
    this.#kept.set(key, { madeAt: now, made })
    made.catch(() => this.#kept.get(key)?.made === made && this.#kept.delete(key))
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > mostKept) this.#kept.delete(oldest)
    return made
  }
}

/**
 * Loads a seed into a temporary state, to find every error that a start would find.
 *
 * @throws SeedError
 */
export async function checkSeed(seed: Seed, settings: Settings): Promise<void> {
  await makeSeeded({ seed, clock: new VirtualClock(), randomSeed: 1, settings })
}

/** Checks a seed file and returns the message of `seed check FILE`. @throws SeedError */
export async function checkSeedFile(file: string): Promise<string> {
  await checkSeed(await openSeed({ file }), defaultSettings)
  return `${file} is sound\n`
}

/**
 * A seed as YAML. Each list or map that holds scalars only is on one line.
 *
 * @throws SeedError if a server would refuse the seed
 */
export async function seedText(seed: SeedDocument): Promise<string> {
  await checkSeed(await openSeed(seed), defaultSettings)
  const { Document, isCollection, isPair, visit } = await import('yaml')
  const document = new Document(seed, { aliasDuplicateObjects: false })
  visit(document, {
    Collection(_, node) {
      node.flow = !node.items.some((item) => isCollection(isPair(item) ? item.value : item))
    },
    Scalar(_, node) {
      // Without quotes `<<` would be a merge key, which seeds do not have.
      if (node.value === '<<') node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}

export function printSchema(): string {
  return `${JSON.stringify(seedSchema(), null, 2)}\n`
}
