import { version } from '../base/version.js'
import { collections } from '../records/records.js'
import { formatVersion } from '../store/journal-writer.js'
import { viewClock } from './clock-control.js'
import { ControlError } from './control-error.js'
import type { Calls, ControlHost } from './host.js'

export const createHealthControl = (host: ControlHost, { plain }: Calls) => ({
  live: plain(() => ({ live: true }) as const),
  /** @throws ControlError (503) with `reason` in its details */
  ready: plain(() => {
    const reason = host.notReady()
    if (reason === null) return { ready: true } as const
    throw new ControlError('unavailable', 'The server is not ready', { details: { ready: false, reason } })
  }),
})

export const createInfoControl = (host: ControlHost, { plain }: Calls) => ({
  get: plain(({ store, clock }, { seedName: seed }) => ({
    version,
    startedAt: host.startedAt,
    doors: [...(host.isListening() ? ['listen'] : []), 'fetch', 'dispatcher', 'msw'],
    limits: host.limits,
    /** Answers of status 500 so far: bugs of this server. */
    internalErrors: host.internalErrors(),
    droppedLogLines: host.droppedLogLines(),
    formatVersion,
    seed,
    clock: viewClock({ clock }),
    store: {
      durable: store.durable,
      readOnly: store.readOnlyReason !== undefined,
      /** Why nothing can be stored; null when it can. */
      reason: store.readOnlyReason?.message ?? null,
      records: Object.fromEntries(collections.map((collection) => [collection, store.state.count(collection)])),
    },
  })),
})
export type InfoView = Readonly<Awaited<ReturnType<ReturnType<typeof createInfoControl>['get']>>>
