/** Ids come from the seed, secrets from the CSPRNG. */
export interface Ids {
  /** The next UUID for a noun: `derive(randomSeed, noun, n)`. */
  uuid(noun: string): string
  /** A number in [0, 1) for a named stream's n-th draw. */
  dice(stream: string, n: number): number
  /** `length` characters of `[A-Za-z0-9]` from the CSPRNG. */
  secret(length: number): string
  /** `length` characters drawn from `alphabet` by the CSPRNG. */
  code(length: number, alphabet: string): string
}
