import { version } from '../base/version.js'
import { collections } from '../records/records.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { formatVersion } from '../store/journal-writer.js'
import { type ClockView, viewClock } from './clock-control.js'
import { ControlError } from './control-error.js'
import { type ControlHost, guarded } from './host.js'

export interface InfoView {
  readonly version: string
  readonly startedAt: string
  readonly doors: readonly string[]
  readonly limits: object
  /** Answers of status 500 so far: bugs of this server. */
  readonly internalErrors: number
  readonly droppedLogLines: number
  readonly formatVersion: number
  readonly seed: string
  readonly clock: ClockView
  readonly store: {
    readonly durable: boolean
    readonly readOnly: boolean
    /** Why nothing can be stored; null when it can. */
    readonly reason: string | null
    /** Records by collection. */
    readonly records: Readonly<Record<string, number>>
  }
}

export const createHealthControl = (host: ControlHost) => ({
  live: async () => ({ live: true }) as const,
  /** @throws ControlError (503) with `reason` in its details */
  ready: () =>
    guarded(() => {
      const reason = host.notReady()
      if (reason === null) return { ready: true } as const
      throw new ControlError('unavailable', 'The server is not ready', { details: { ready: false, reason } })
    }),
})

export const createInfoControl = (sandbox: Sandbox, host: ControlHost) => ({
  get: () =>
    guarded((): InfoView => {
      const { current, seedName: seed } = sandbox
      const { store } = current
      return {
        version,
        startedAt: host.startedAt,
        doors: [...(host.isListening() ? ['listen'] : []), 'fetch', 'dispatcher', 'msw'],
        limits: host.limits,
        internalErrors: host.internalErrors(),
        droppedLogLines: host.droppedLogLines(),
        formatVersion,
        seed,
        clock: viewClock(current),
        store: {
          durable: store.durable,
          readOnly: store.readOnlyReason !== undefined,
          reason: store.readOnlyReason?.message ?? null,
          records: Object.fromEntries(collections.map((collection) => [collection, store.state.count(collection)])),
        },
      }
    }),
})
