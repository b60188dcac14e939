import { VirtualClock } from '../base/virtual-clock.js'
import { choice, type InputOf, optional, required } from '../fields/composites.js'
import type { Accepted, Field } from '../fields/field.js'
import { flag, integer, text } from '../fields/scalars.js'
import { lifecycle } from '../records/steps.js'
import { urlsOfSandbox } from '../request/authority.js'
import type { Urls } from '../request/exchange.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { settingsField } from '../seed/settings.js'
import { seedField } from '../seed/tables.js'
import { clockField, readMoment } from './clock-control.js'
import { type Calls, type ControlHost, granted, invalidAt, notFound } from './host.js'

const seedName = text({
  pattern: /^(?:empty|demo|large:[1-9]\d{0,6})$/,
  shape: 'empty, demo, large:N or a document',
}) as Field<'empty' | 'demo' | `large:${number}`>

/** A seed by name or as a document. A client of the control API cannot read files of the server. */
export const seedChoice = choice('empty, demo, large:N or a document', () => [
  { field: seedName },
  { when: (value) => typeof value === 'object' && value !== null, field: seedField },
])

const createTable = {
  id: optional(
    text({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, shape: '1 to 64 letters, digits, . _ -' }),
  ),
  seed: optional(seedChoice),
  /** Idle time after which the sandbox is deleted, host ms. */
  ttlMs: optional(integer(1, 86_400_000 * 30)),
  clock: optional(clockField),
  randomSeed: optional(
    choice('a whole number or text', () => [
      { when: (value) => typeof value === 'number', field: integer() },
      { field: text({ max: 255 }) },
    ]),
  ),
  lifecycle: optional(lifecycle),
  settings: optional(settingsField),
}

export type CreateSandboxParams = InputOf<typeof createTable>
const id = text({ min: 1, max: 64 })

function clockOf({ mode, now, offsetMs }: Accepted<typeof clockField>) {
  return new VirtualClock({
    mode,
    now: now ? readMoment('clock.now', now) : undefined,
    offsetMs: offsetMs ?? undefined,
  })
}

/** @param askedAt The server's URLs that it was asked at, where they are not its canonical ones. */
export function createSandboxesControl(
  host: ControlHost,
  askedAt: Urls | undefined,
  { call, plain }: Calls,
) {
  const all = ({ id }: Sandbox): Sandboxes =>
    (id === 'main' ? host.sandboxes() : null) ?? notFound('route')
  const find = (main: Sandbox, id: string): Sandbox =>
    all(main)
      .list()
      .find((one) => one.id === id) ?? notFound('sandbox')
  const view = (sandboxes: Sandboxes, { id, current: { urls: own, seeded } }: Sandbox) => {
    const urls = askedAt === undefined ? own : urlsOfSandbox(askedAt, id)
    return {
      id,
      ...urls,
      controlUrl: `${urls.baseUrl}/_control`,
      accessTokens: seeded.accessTokens,
      /** When the sandbox is deleted if nothing uses it, epoch ms of the host. */
      expiresAt: sandboxes.expiresAt(id) ?? 0,
    }
  }
  return {
    create: call(createTable, async ({ clock, ...read }, _, main) => {
      const made = await all(main).create({ ...read, clock: clock && clockOf(clock) })
      return view(all(main), granted(made))
    }),
    list: plain((_, main) =>
      all(main)
        .list()
        .map((sandbox) => view(all(main), sandbox)),
    ),
    get: call({ id: required(id) }, (params, _, main) => view(all(main), find(main, params.id))),
    /** One sandbox, or `all: true` of them. */
    delete: call({ id: optional(id), all: optional(flag) }, async (params, _, main) => {
      if (params.id === 'main') throw invalidAt('id', 'main cannot be deleted')
      if (params.id) await all(main).delete(find(main, params.id).id)
      else if (params.all === true) await all(main).deleteAll()
      else throw invalidAt('all', 'must be true to delete every sandbox')
    }),
  }
}

export type SandboxView = Readonly<
  Awaited<ReturnType<ReturnType<typeof createSandboxesControl>['get']>>
>
