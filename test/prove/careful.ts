import { fileURLToPath } from 'node:url'
import { type Proof, proofOf, reasons } from './proof.js'

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const own = (name: string) => [fileOf(`${name}.js`)]
const ci = (...words: readonly string[]) => [fileOf('../../cli/bin/run.js'), ...words]

interface CarefulClient {
  /** The arguments of Node that run it. */
  readonly words: readonly string[]
  /** Options of the server with which it is quick. */
  readonly server?: readonly string[]
  /** Rows that it may pass without the response, and why. */
  readonly except?: { readonly rows: readonly string[]; readonly why: string }
}

const create = ['--branch', 'main', '--commit', 'HEAD', '-m', 'Nightly']

/** The clients that no row may harm. The first two meet the rows of nearly every fault. */
export const carefulClients: Readonly<Record<string, CarefulClient>> = {
  'plain fetch': { words: own('correct') },
  'all of the SDK': {
    words: own('everything'),
    except: {
      rows: ['html/builds.listForPipeline:later'],
      why: 'A summary leaves out what other builds of the branch say if it cannot read them.',
    },
  },
  'openid-client': { words: own('openid-client') },
  oauth4webapi: { words: own('oauth4webapi') },
  'ci builds list': { words: ci('builds', 'list', '-p', 'web', '--limit', '70') },
  'ci why': {
    words: ci('why', '-p', 'web', '--no-history'),
    except: {
      rows: [
        'html/builds.listForPipeline:later',
        'away/jobs.logText',
        'away/annotations.list',
        'gone/jobs.logText',
      ],
      why: 'It leaves out what other builds of the branch say if it cannot read them.',
    },
  },
  'ci artifacts list': { words: ci('artifacts', 'list', '@latest', '-p', 'web') },
  'ci builds rebuild': { words: ci('builds', 'rebuild', '@latest', '-p', 'docs') },
  'ci builds create --watch': {
    words: ci('builds', 'create', '-p', 'docs', ...create, '--watch', '--timeout', '20s'),
    server: ['--speed', '20'],
  },
}

/** Why a client does not survive all rows; empty where it does. */
export function complaintsOf(proof: Proof): readonly string[] {
  const unused = proof.rows.filter(({ verdict }) => verdict === 'not used')
  return [
    ...reasons(proof),
    ...unused.map(({ id, reason }) => `${id}: ${reason}`),
    ...proof.left.map((id) => `${id}: not run`),
    ...(proof.complaint === null ? [] : [proof.complaint]),
  ]
}

export async function proveCareful({ words, server = [], except }: CarefulClient): Promise<Proof> {
  const rows = (except?.rows ?? []).flatMap((row) => ['--except', row])
  const { proof } = await proofOf(words, ...server, ...rows)
  return proof
}
