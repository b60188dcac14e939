import type { Urls } from '../request/context.js'

/** What the ready line says. */
export interface ReadyInfo extends Urls {
  readonly event: 'ready'
  readonly version: string
  readonly pid: number
  /** Null while the server has no port. */
  readonly port: number | null
  readonly controlUrl: string
  /** Absent when the caller gave it. */
  readonly controlToken?: string
  readonly accessTokens: Readonly<Record<string, string>>
  readonly seed: string
  /** False when the data was there already. */
  readonly seeded: boolean
  readonly durable: boolean
}
