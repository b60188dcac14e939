/** What a seed may draw on: the sandbox's time, its derived ids and dice, and the values of secrets. */
export interface SeedContext {
  /** Wall time of the sandbox clock, epoch ms: every generated time lies before it. */
  readonly now: number
  uuid(noun: string): string
  dice(stream: string, n: number): number
  /** The value of the access token with this name: the caller's, or a new one that the ready line then shows. */
  accessToken(name: string): string
  /** The value that the caller gives to this access token, whatever the seed says; undefined for none. */
  givenAccessToken?(name: string): string | undefined
  /** The value of this application's secret: the caller's, or a new one. */
  clientSecret(client_id: string): string
}
