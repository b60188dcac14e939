import type { JsonSchema } from '../fields/field.js'
import { seedSchema } from '../seed/seed-document.js'
import { formatVersion } from '../store/journal-writer.js'
import { collections } from '../store/records.js'
import { type ClockView, viewClock } from './clock-control.js'
import { ControlError } from './control-error.js'
import { type ControlHost, guarded } from './host.js'

export interface InfoView {
  readonly version: string
  readonly formatVersion: number
  readonly startedAt: string
  readonly doors: readonly string[]
  readonly limits: object
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
  /** Answers of status 500 so far: bugs of this server. */
  readonly internalErrors: number
  readonly droppedLogLines: number
}

export interface HealthControl {
  live(): Promise<{ readonly live: true }>
  /** @throws ControlError (503) with `reason` in its details */
  ready(): Promise<{ readonly ready: true }>
}

export interface InfoControl {
  get(): Promise<InfoView>
}

export interface SchemaControl {
  /** The JSON Schema of seeds and of `apply`. */
  get(): Promise<JsonSchema>
}

export const createHealthControl = (host: ControlHost): HealthControl => ({
  live: async () => ({ live: true }),
  ready: () =>
    guarded(() => {
      const reason = host.notReady()
      if (reason === null) return { ready: true } as const
      throw new ControlError('unavailable', 'The server is not ready', { details: { ready: false, reason } })
    }),
})

export const createInfoControl = (host: ControlHost): InfoControl => ({
  get: () =>
    guarded(() => {
      const { current, seedName } = host.sandbox
      const { store } = current
      const { version, startedAt, doors, limits, internalErrors, droppedLogLines } = host.info()
      return {
        version,
        formatVersion,
        startedAt,
        doors,
        limits,
        seed: seedName,
        clock: viewClock(current),
        store: {
          durable: store.durable,
          readOnly: store.readOnlyReason !== undefined,
          reason: store.readOnlyReason?.message ?? null,
          records: Object.fromEntries(collections.map((collection) => [collection, store.state.count(collection)])),
        },
        internalErrors,
        droppedLogLines,
      }
    }),
})

export const createSchemaControl = (): SchemaControl => ({ get: async () => seedSchema() })
