import { choice, object, optional, required } from '../fields/composites.js'
import type { Field } from '../fields/field.js'
import { flag, integer, text } from '../fields/scalars.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { Settings } from '../sandbox/settings.js'
import { defaultSettings, type GivenSettings, mergeSettings, settingsField } from '../sandbox/settings.js'
import type { SeedOption } from '../seed/seed.js'
import { type SeedDocument, seedField } from '../seed/seed-document.js'
import { lifecycle } from '../seed/step-tables.js'
import type { Lifecycle } from '../store/records.js'
import { VirtualClock } from '../virtual-clock.js'
import { clockField, readMoment } from './clock-control.js'
import { granted, invalidAt, notFound } from './control-error.js'
import { guarded, readParams } from './host.js'

export interface SandboxView {
  readonly id: string
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
  readonly controlUrl: string
  readonly accessTokens: Readonly<Record<string, string>>
  /** When it goes unless it is used, epoch ms of the host. */
  readonly expiresAt: number
}

export interface CreateSandboxParams {
  readonly id?: string | undefined
  readonly seed?: 'empty' | 'demo' | `large:${number}` | SeedDocument | undefined
  /** Idle time after which it goes, host ms. */
  readonly ttlMs?: number | undefined
  readonly clock?:
    | { readonly mode: 'real' | 'offset' | 'frozen'; readonly now?: string; readonly offsetMs?: number }
    | undefined
  readonly randomSeed?: number | string | undefined
  readonly lifecycle?: Lifecycle | undefined
  readonly settings?: Partial<Settings> | undefined
}

export interface SandboxesControl {
  create(params?: CreateSandboxParams): Promise<SandboxView>
  list(): Promise<readonly SandboxView[]>
  get(params: { readonly id: string }): Promise<SandboxView>
  /** One sandbox, or `all: true` of them. */
  delete(params: { readonly id?: string | undefined; readonly all?: boolean | undefined }): Promise<void>
}

const seedName = text({ pattern: /^(?:empty|demo|large:[1-9]\d{0,6})$/, shape: 'empty, demo, large:N or a document' })

/** A seed as the control API takes it: by name or as a document. Files of the server's machine are none of its business. */
export const seedChoice: Field<string | SeedDocument> = choice<string | SeedDocument>(
  'empty, demo, large:N or a document',
  () => [
    { when: (value) => typeof value === 'string', field: seedName },
    { when: (value) => typeof value === 'object' && value !== null, field: seedField },
  ],
)

const createField = object({
  id: optional(text({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, shape: '1 to 64 letters, digits, . _ -' })),
  seed: optional(seedChoice),
  ttlMs: optional(integer(1, 86_400_000 * 30)),
  clock: optional(clockField),
  randomSeed: optional(
    choice<number | string>('a whole number or text', () => [
      { when: (value) => typeof value === 'number', field: integer() },
      { when: (value) => typeof value === 'string', field: text({ max: 255 }) },
    ]),
  ),
  lifecycle: optional(lifecycle),
  settings: optional(settingsField),
})
const named = object({ id: required(text({ min: 1, max: 64 })) })
const deleteField = object({ id: optional(text({ min: 1, max: 64 })), all: optional(flag) })

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

type ClockParams = NonNullable<CreateSandboxParams['clock']>

const clockOf = ({
  mode,
  now,
  offsetMs,
}: {
  mode: ClockParams['mode']
  now?: string | null | undefined
  offsetMs?: number | null | undefined
}) => new VirtualClock({ mode, ...(now && { now: readMoment('clock.now', now) }), ...(offsetMs && { offsetMs }) })

/** The settings that `given` names; null means the default. */
const settingsOf = (given: GivenSettings): Partial<Settings> => {
  const merged = mergeSettings(defaultSettings, given)
  return Object.fromEntries(Object.keys(given).map((name) => [name, Reflect.get(merged, name)]))
}

const view = (sandboxes: Sandboxes, sandbox: Sandbox): SandboxView => {
  const { urls, seeded } = sandbox.current
  return {
    id: sandbox.id,
    baseUrl: urls.baseUrl,
    authUrl: urls.authUrl,
    webUrl: urls.webUrl,
    controlUrl: `${urls.baseUrl}/_control`,
    accessTokens: seeded.accessTokens,
    expiresAt: sandboxes.expiresAt(sandbox.id) ?? 0,
  }
}

export const createSandboxesControl = (host: { readonly sandboxes: Sandboxes | null }): SandboxesControl => {
  const root = (): Sandboxes => {
    if (!host.sandboxes) throw notFound('route')
    return host.sandboxes
  }
  const known = (id: string): Sandbox => {
    const sandbox = root()
      .list()
      .find((candidate) => candidate.id === id)
    if (!sandbox) throw notFound('sandbox')
    return sandbox
  }
  return {
    create: (params = {}) =>
      guarded(async () => {
        const read = readParams(createField, params)
        const made = await root().create({
          id: given(read.id),
          seed: given(read.seed) as SeedOption | undefined,
          ttlMs: given(read.ttlMs),
          clock: read.clock ? clockOf(read.clock) : undefined,
          randomSeed: given(read.randomSeed),
          lifecycle: given(read.lifecycle),
          settings: read.settings ? settingsOf(read.settings) : undefined,
        })
        return view(root(), granted(made))
      }),
    list: () =>
      guarded(() =>
        root()
          .list()
          .map((sandbox) => view(root(), sandbox)),
      ),
    get: (params) => guarded(() => view(root(), known(readParams(named, params).id))),
    delete: (params) =>
      guarded(async () => {
        const { id, all } = readParams(deleteField, params)
        if (id === 'main') throw invalidAt('id', 'main cannot be deleted')
        if (id) {
          known(id)
          await root().delete(id)
        } else if (all === true) await root().deleteAll()
        else throw invalidAt('all', 'must be true to delete every sandbox')
      }),
  }
}
