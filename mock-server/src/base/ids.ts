import { hash, randomInt } from 'node:crypto'

/** Makes ids from the random seed, and secrets from the CSPRNG. */
export interface Ids {
  /** The next UUID for a noun: `derive(randomSeed, noun, n)`. */
  uuid(noun: string): string
  /** A number in [0, 1): the n-th draw of a named stream. */
  dice(stream: string, n: number): number
  /** `length` characters of `[A-Za-z0-9]` from the CSPRNG. */
  secret(length: number): string
  /** `length` characters drawn from `alphabet` by the CSPRNG. */
  code(length: number, alphabet: string): string
}

/** Named counters from 0. The store saves them, so that no id repeats after a restart. */
export interface Counters {
  next(name: string): number
}

/** The n-th draw of a stream: SHA-256 of seed, stream and n. It does not depend on other draws. */
function derive(randomSeed: number | string, stream: string, n: number): Buffer {
  return hash('sha256', `${randomSeed}\0${stream}\0${n}`, 'buffer')
}

function deriveUuid(randomSeed: number | string, noun: string, n: number): string {
  const bytes = derive(randomSeed, noun, n)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A token or a secret of 256 random bits: 43 characters of an alphabet of 62. */
export function drawSecret(ids: Pick<Ids, 'secret'>, prefix = ''): string {
  return `${prefix}${ids.secret(43)}`
}

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random characters, each equally likely. */
function draw(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Ids that depend only on the seed, and on how many ids of their noun were made before. */
export function seededIds(
  randomSeed: number | string = 1,
  counters: Counters = localCounters(),
): Ids {
  return {
    uuid: (noun) => deriveUuid(randomSeed, noun, counters.next(`id:${noun}`)),
    dice: (stream, n) => derive(randomSeed, stream, n).readUInt32BE(0) / 0x1_0000_0000,
    secret: (length) => draw(length, alphanumeric),
    code: draw,
  }
}

function localCounters(): Counters {
  const counts = new Map<string, number>()
  return {
    next: (name) => {
      const n = counts.get(name) ?? 0
      counts.set(name, n + 1)
      return n
    },
  }
}
