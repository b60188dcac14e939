/** What a move may use: the time it happens at, and new ids. */
export interface Moment {
  /** Epoch ms. */
  readonly now: number
  uuid(noun: string): string
}
