import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runChild, withoutProgress } from './support/child.js'
import { runCli } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

/**
 * What people see, byte for byte. `UPDATE_GOLDEN=1` writes the files anew; read the diff before it
 * is kept.
 */
const folder = new URL('./goldens/', import.meta.url)

const started = serverOfFile()

interface Golden {
  readonly name: string
  /** Words between single blanks; two of them stand around an empty word. */
  readonly line: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Run as a program of its own; the others run in this process, which shows the same. */
  readonly child?: true
}

const tty = (columns: number) => ({ BUILDWIRE_FORCE_TTY: String(columns), NO_COLOR: '1' })
const goldens: readonly Golden[] = [
  { name: 'builds-list-60', line: 'builds list -L 12 --utc', env: tty(60) },
  { name: 'builds-list-100', line: 'builds list -L 12 --utc', env: tty(100) },
  { name: 'builds-list-160', line: 'builds list -L 12 --utc', env: tty(160) },
  {
    name: 'builds-list-colour',
    line: 'builds list -L 8 -p acme/web',
    env: { BUILDWIRE_FORCE_TTY: '80' },
    child: true,
  },
  {
    name: 'builds-list-ascii',
    line: 'builds list -L 8 -p acme/web',
    env: { ...tty(80), BUILDWIRE_ASCII: '1' },
  },
  {
    name: 'builds-list-plain',
    line: 'builds list -L 2 -p acme/web',
    env: { ...tty(80), BUILDWIRE_PLAIN: '1' },
  },
  { name: 'builds-list-pipe', line: 'builds list -L 3 --header', child: true },
  {
    name: 'builds-list-json',
    line: 'builds list -L 2 -p acme/web --json=number,state,branch,creator.name',
  },
  { name: 'builds-get-60', line: 'builds get acme/web#926 --utc', env: tty(60) },
  { name: 'builds-get-100', line: 'builds get acme/web#926 --utc', env: tty(100) },
  { name: 'builds-get-160', line: 'builds get acme/web#926 --utc', env: tty(160) },
  { name: 'builds-get-pipe', line: 'builds get acme/web#926' },
  { name: 'pipelines-list-100', line: 'pipelines list', env: tty(100) },
  { name: 'pipelines-get-60', line: 'pipelines get acme/web', env: tty(60) },
  { name: 'organizations-list', line: 'organizations list', env: tty(80) },
  { name: 'tests-list-100', line: 'tests list --suite web-unit -L 6', env: tty(100) },
  { name: 'not-found', line: 'builds get acme/wbe#42' },
  { name: 'not-found-json', line: 'builds get acme/wbe#42 --json' },
  { name: 'bad-state', line: 'builds list --state broken' },
  { name: 'no-token', line: 'builds list', env: { BUILDWIRE_TOKEN: '' } },
  { name: 'wrong-token', line: 'builds list', env: { BUILDWIRE_TOKEN: 'wrong-token-1' } },
  { name: 'no-server', line: 'builds list', env: { BUILDWIRE_BASE_URL: '' } },
  {
    name: 'unreachable',
    line: 'builds list --retries 0',
    env: { BUILDWIRE_BASE_URL: 'http://127.0.0.1:9' },
  },
  { name: 'unknown-flag', line: 'builds list --brunch main' },
  {
    name: 'refused-create',
    line: 'builds create -p acme/web --commit  --from-json -',
    stdin: '{"branch":"main","pull_request_id":"x"}',
  },
  {
    name: 'missing-scope',
    line: 'builds cancel acme/web#926',
    env: { BUILDWIRE_TOKEN: '<reader>' },
  },
  { name: 'help', line: '--help' },
  { name: 'help-builds-list', line: 'builds list --help' },
]

/** Everything that differs from run to run, and every secret, made the same. */
function mask(text: string): string {
  return withoutProgress(text)
    .replaceAll(started.server.baseUrl, 'https://ci.example.test')
    .replaceAll(started.token, '<token>')
    .replace(/request [0-9a-f-]{36}/gu, 'request UUID')
    .replace(/"requestId":"[^"]+"/gu, '"requestId":"<uuid>"')
}

describe('goldens', () => {
  it.each(goldens)('$name', async ({ name, line, env = {}, stdin = '', child }) => {
    const argv = line.split(' ')
    const reader =
      env.BUILDWIRE_TOKEN === '<reader>' ? { BUILDWIRE_TOKEN: started.tokens.reader ?? '' } : {}
    const all: Readonly<Record<string, string>> = { ...started.env, ...env, ...reader }
    const { BUILDWIRE_FORCE_TTY: columns, ...rest } = all
    const tty = columns === undefined ? {} : { columns: Number(columns) }
    const { code, stdout, stderr } = child
      ? await runChild(argv, { env: all, stdin })
      : await runCli(argv, { env: rest, stdin, ...tty })
    const words = argv.map((word) => (/^[\w@/#.,=-]+$/u.test(word) ? word : `'${word}'`)).join(' ')
    const seen = mask(
      `$ ci ${words}\n${stdout}${stderr === '' ? '' : `-- stderr\n${stderr}`}-- exit ${code}\n`,
    )
    const file = new URL(`${name}.txt`, folder)
    if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, seen)
    expect(seen).toBe(await readFile(file, 'utf8'))
  })
})
