import { PassThrough } from 'node:stream'
import { run } from '../../mock-server/src/main.js'

export interface ProofRow {
  readonly id: string
  readonly verdict: 'survived' | 'harmed' | 'not used'
  readonly reason: string | null
  readonly evidence: readonly {
    readonly path: string
    readonly status: number | null
    readonly fault: boolean
  }[]
  readonly notes: readonly { readonly sentence: string }[]
  readonly output: string | null
  readonly replay: string
}

export interface Proof {
  readonly complaint: string | null
  readonly base: { readonly uses: readonly string[] }
  readonly rows: readonly ProofRow[]
  readonly left: readonly string[]
}

/** Runs `prove` in this process. The command after `--` runs in other processes. */
export async function prove(
  argv: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') =>
    new PassThrough().on('data', (data) => {
      text[name] += String(data)
    }) as unknown as NodeJS.WriteStream
  const code = await run(['prove', ...argv], { stdout: into('stdout'), stderr: into('stderr') })
  return { code, ...text }
}

export const node = (...words: readonly string[]) => ['--', process.execPath, ...words]

/** The arguments of Node that run a client which sends one read, once. */
export const single = [
  '--input-type=module',
  '-e',
  `const { BUILDWIRE_BASE_URL: base, BUILDWIRE_TOKEN: token } = process.env
  const url = base + '/v2/organizations/acme/pipelines/web/builds?per_page=1'
  const response = await fetch(url, { headers: { authorization: 'Bearer ' + token } })
  if (!response.ok) throw new Error(String(response.status))
  await response.json()`,
]

export async function proofOf(
  words: readonly string[],
  ...flags: readonly string[]
): Promise<{ code: number; proof: Proof }> {
  const argv = ['--json', '--jobs', '4', ...flags, ...node(...words)]
  const { code, stdout, stderr } = await prove(argv)
  if (stdout === '') throw new Error(stderr)
  return { code, proof: JSON.parse(stdout) as Proof }
}

export const harmed = ({ rows }: Proof): readonly ProofRow[] =>
  rows.filter(({ verdict }) => verdict === 'harmed')

/** The reasons, for the message of a failing test. */
export const reasons = (proof: Proof) =>
  harmed(proof).map(({ id, reason, output }) => `${id}: ${reason} ${output ?? ''}`)

export const list = 'builds.listForPipeline'
