import type { Ids } from '../base/ids.js'

/** What a seed may draw on: the sandbox's time, its derived ids and dice, and the values of secrets. */
export interface SeedContext extends Pick<Ids, 'uuid' | 'dice'> {
  /** Wall time of the sandbox clock, epoch ms: every generated time lies before it. */
  readonly now: number
  /** As they are where the document says nothing about them. */
  readonly extraScopes: readonly string[]
  /** The value of a new access token, which the ready line then shows. */
  accessToken(name: string): string
  /** The value that the caller gives to this access token, whatever the seed says; undefined for none. */
  givenAccessToken?(name: string): string | undefined
  clientSecret(client_id: string): string
}
