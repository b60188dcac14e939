import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createMockServer, lowdbDirectory } from '../../mock-server/src/index.js'
import { exitOf } from '../../mock-server/src/program/exit-codes.js'
import {
  checksumLength,
  checksumOf,
  checksumText,
  firstChecksum,
} from '../../mock-server/src/store/journal-writer.js'
import { acmePipelines } from './acme-pipelines.js'

const token = 'local-token-for-tests'

/** A directory whose journal has a seed, builds that ran, logins, and changes of all of them. */
export async function realJournal(directory: string, builds = 6): Promise<void> {
  const server = createMockServer({
    seed: acmePipelines({
      slug: 'web',
      steps: [
        { command: 'make', parallelism: 2, retry: { automatic: 1 }, outcome: { exit_status: 1 } },
        { wait: true },
        { block: 'Go?' },
      ],
    }),
    accessTokens: { admin: token },
    lifecycle: { policy: 'immediate' },
    persistence: lowdbDirectory(directory),
  })
  await server.ready()
  for (let n = 0; n < builds; n++) {
    const response = await server.fetch(
      new Request('http://mock.localhost/v2/organizations/acme/pipelines/web/builds', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({
          commit: 'abc',
          branch: `b${n % 3}`,
          message: 'line\u2028 "x" \\',
          env: { A: '1' },
        }),
      }),
    )
    if (response.status !== 201) throw new Error(`create answered ${response.status}`)
  }
  await server.close()
}

/** The records of a directory, or the error of a start with it. */
export async function startFrom(directory: string): Promise<ReadonlyMap<string, unknown> | Error> {
  const persistence = lowdbDirectory(directory)
  try {
    await persistence.open?.()
    const records = new Map<string, unknown>()
    for await (const [collection, record] of persistence.load())
      records.set(`${collection} ${record.id}`, record)
    return records
  } catch (error) {
    return error as Error
  } finally {
    await persistence.close()
  }
}

/** One type of damage to the bytes of a journal, at a random place. */
type Damage = (bytes: Buffer, roll: (below: number) => number) => Buffer

const lined =
  (spoil: (lines: string[], roll: (below: number) => number) => void): Damage =>
  (bytes, roll) => {
    const lines = bytes.toString('latin1').split('\n').slice(0, -1)
    spoil(lines, roll)
    return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
  }

/** Computes the checksums again. */
function sealed(lines: string[]): void {
  let checksum = firstChecksum
  for (const [n, line] of lines.entries()) {
    if (n === 0) continue
    const rest = Buffer.from(line.slice(checksumLength), 'latin1')
    checksum = checksumOf(rest, checksum)
    lines[n] = checksumText(checksum) + rest.toString('latin1')
  }
}

const keys =
  /"(?:collection|id|record|set|jobs|at|add|agent_query_rules|pipelineId|state|steps|command|scopes|digest|created_at|triggerDepth)":/g
const names = /"collection":"[a-zA-Z]+"/g

/**
 * Renames one match of the pattern in a line. With `seal`, only the check of shapes can detect it.
 */
const renamed = (pattern: RegExp, seal = false): Damage =>
  lined((lines, roll) => {
    const n = 1 + roll(lines.length - 1)
    const line = lines[n] ?? ''
    const found = [...line.matchAll(pattern)]
    const one = found[roll(found.length)]
    const at = one === undefined ? -1 : one.index + one[0].lastIndexOf('"') - 1
    if (at >= 0)
      lines[n] = `${line.slice(0, at)}${line[at] === 'z' ? 'y' : 'z'}${line.slice(at + 1)}`
    if (seal) sealed(lines)
  })

const damages: Readonly<Record<string, Damage>> = {
  'bit flip': (bytes, roll) => {
    const spoilt = Buffer.from(bytes)
    const at = roll(bytes.length)
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << roll(8))
    return spoilt
  },
  cut: (bytes, roll) => bytes.subarray(0, roll(bytes.length)),
  'cut at a line': lined((lines, roll) => lines.splice(1 + roll(lines.length - 1))),
  'line twice': lined((lines, roll) => {
    const at = roll(lines.length)
    lines.splice(at, 0, lines[at] ?? '')
  }),
  'line gone': lined((lines, roll) => lines.splice(roll(lines.length), 1)),
  'lines swapped': lined((lines, roll) => {
    const one = roll(lines.length)
    const other = roll(lines.length)
    ;[lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? '']
  }),
  'key renamed': renamed(keys),
  'collection renamed': renamed(names),
  'key renamed, checksums made anew': renamed(keys, true),
  'collection renamed, checksums made anew': renamed(names, true),
}

export interface DamageReport {
  readonly tried: number
  readonly refused: number
  readonly same: number
  readonly failure?: string
}

/**
 * Damages a journal again and again. Each start must refuse it with 78 and name file and line, or
 * read the same data.
 *
 * @param goesOn Called before each try.
 */
export async function damageJournal(
  directory: string,
  dice: () => number,
  tries: number,
  goesOn: () => boolean = () => true,
): Promise<DamageReport> {
  const whole = await readFile(join(directory, 'state.jsonl'))
  const expected = await startFrom(directory)
  if (expected instanceof Error) throw expected
  const roll = (below: number) => Math.floor(dice() * below)
  const kinds = Object.entries(damages)
  const spoiltDirectory = join(directory, '..', 'spoilt')
  await mkdir(spoiltDirectory, { recursive: true })
  let refused = 0
  let same = 0
  let tried = 0
  for (; tried < tries && goesOn(); tried++) {
    const [kind, spoil] = kinds[tried % kinds.length] ?? ['', (bytes: Buffer) => bytes]
    await writeFile(join(spoiltDirectory, 'state.jsonl'), spoil(whole, roll))
    const found = await startFrom(spoiltDirectory)
    const fail = (text: string) => ({
      tried,
      refused,
      same,
      failure: `try ${tried}, ${kind}: ${text}`,
    })
    if (!(found instanceof Error)) {
      if (!isDeepStrictEqual(found, expected)) return fail('other data, and nothing said')
      same++
      continue
    }
    const { code, text } = exitOf(found)
    if (code !== 78 || !/state\.jsonl(?::\d+: .+\. Put back a copy| has format \d+)/.test(text))
      return fail(`${code} ${text}`)
    refused++
  }
  return { tried, refused, same }
}
