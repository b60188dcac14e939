import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Proof, type ProofRow, prove } from '../proof.js'
import type { Animal, Expected } from './animal.js'

export type Part = 'first' | 'second' | 'third'
export type Mood = 'careless' | 'careful'

/** Some animals exchange tokens with the key of the demo. */
process.env['BUILDWIRE_PRIVATE_KEY_FILE'] = fileURLToPath(
  new URL('../../../examples/keys/demo-token-exchange.private.pem', import.meta.url),
)

const run = promisify(execFile)
const folderOf = (part: Part) => fileURLToPath(new URL(part, import.meta.url))

/** The program that runs files of an ending, and how to ask whether it is there. */
const runners: Readonly<Record<string, readonly string[]>> = {
  '.js': [process.execPath],
  '.py': ['python3'],
  '.rb': ['ruby'],
  '.sh': ['bash'],
  '.bash': ['bash'],
  '.pl': ['perl'],
}

const probes: Readonly<Record<string, readonly string[]>> = {
  '.py': ['python3', '-c', 'import requests'],
  '.rb': ['ruby', '--version'],
  '.go': ['go', 'version'],
  '.pl': ['perl', '--version'],
  '.sh': ['curl', '--version'],
  '.bash': ['curl', '--version'],
}

/** Why an animal cannot run here; undefined where it can. */
export async function whyAbsent({ file }: Animal): Promise<string | undefined> {
  const ending = extname(file)
  if (ending === '.js')
    return existsSync(fileURLToPath(new URL('node_modules', import.meta.url)))
      ? undefined
      : 'npm ci was not run in test/prove/zoo'
  const [program = '', ...words] = probes[ending] ?? []
  const isThere = await run(program, words).then(
    () => true,
    () => false,
  )
  return isThere ? undefined : `${[program, ...words].join(' ')} does not run here`
}

const built = new Map<string, Promise<string>>()

/** A program of Go is built once: `go run` hides exit codes and takes seconds. */
function goProgram(part: Part, file: string): Promise<string> {
  const path = join(folderOf(part), file)
  const making = built.get(path) ?? buildGo(path, file)
  built.set(path, making)
  return making
}

async function buildGo(path: string, file: string): Promise<string> {
  const out = join(await mkdtemp(join(tmpdir(), 'zoo-')), file.replace('.go', ''))
  await run('go', ['build', '-o', out, path])
  return out
}

/** Proves an animal in a mood; no rows: all of them. */
export async function proveAnimal(
  part: Part,
  animal: Animal,
  mood: Mood,
  rows: readonly string[],
): Promise<Proof> {
  const ending = extname(animal.file)
  const path = join(folderOf(part), animal.file)
  const command =
    ending === '.go' ? [await goProgram(part, animal.file)] : [...(runners[ending] ?? []), path]
  const only = rows.flatMap((row) => ['--only', row])
  const server = animal.server ?? []
  const words = ['--json', '--jobs', '2', ...server, ...only, '--', ...command, mood]
  const { stdout, stderr } = await prove(words)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Proof
}

const isHarmed = ({ verdict }: ProofRow) => verdict === 'harmed'

/** What `prove` holds against an animal, by row. */
export function findingsOf({ rows, complaint }: Proof, as: Expected['as']): readonly string[] {
  if (as === 'complaint') return complaint === null ? [] : ['plain']
  return rows
    .filter((row) => (as === 'harm' ? isHarmed(row) : isHarmed(row) || row.notes.length > 0))
    .map(({ id }) => id)
}

/** The expected rows, or faults, in which nothing was found. */
export function missedRows(found: readonly string[], { rows }: Expected): readonly string[] {
  return rows.filter((row) => !found.some((id) => id === row || id.startsWith(`${row}/`)))
}

/** For a test that fails: each row with what was found. */
export function storiesOf({ rows, complaint }: Proof): string {
  const found = rows.flatMap(({ id, verdict, reason, notes, output }) => [
    ...(reason === null ? [] : [`${verdict} ${id}: ${reason} ${(output ?? '').slice(-300)}`]),
    ...notes.map(({ sentence }) => `note ${id}: ${sentence}`),
  ])
  return [...(complaint === null ? [] : [complaint]), ...found].join('\n')
}
