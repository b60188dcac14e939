import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer, type MockServer, VirtualClock } from '@buildwire/mock-server'
import { describe, expect, test } from 'vitest'
import { commands } from '../../cli/src/commands/index.js'
import { exchangeFor } from '../support/control-client.js'
import { BIN, type Child, emptyEnv, has, terminal } from './support/child.js'
import { listening } from './support/server.js'

/** What a shell would take apart, and start. */
const SHELL = '$(touch pwned) `touch pwned` ; touch pwned # " '
/** The same without blanks and commas, which divide scopes. */
const SCOPE = '$(touch${IFS}pwned)'
/**
 * Behind every text: what moves a cursor, sets a title, reorders a line, starts a line, or is a
 * command to a shell.
 */
const HOSTILE = `\u001b]0;pwn\u0007\u001b[2J\u001b[38;5;201m\u009b3J\u202e\r<CR>\n<LF>' ${SHELL}\u0007`
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
/**
 * Fields whose values steer the program; with them as they are it goes on to what it prints at the
 * end.
 */
const STEERING = /(?:^|_)(?:state|type|id|url|uri|at|token|code|interval|complete|in)$|^scopes?$/u

/** How the server speaks. */
const MANNERS = [
  'hostile in every text',
  'hostile in every text but what steers',
  'in hostile refusals',
] as const
type Manner = (typeof MANNERS)[number]

function spoil(value: unknown, manner: Manner, key = ''): unknown {
  if (typeof value === 'string')
    return manner === MANNERS[1] && STEERING.test(key) ? value : value + HOSTILE
  if (Array.isArray(value)) return value.map((item) => spoil(item, manner, key))
  if (typeof value !== 'object' || value === null) return value
  const named = (name: string) => (key === 'meta_data' || key === 'env' ? name + HOSTILE : name)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [named(name), spoil(item, manner, name)]),
  )
}

/** Answers as the reference server does, in that manner. */
async function speak(
  request: IncomingMessage,
  response: ServerResponse,
  server: MockServer,
  manner: Manner,
) {
  const body: Buffer[] = []
  for await (const chunk of request) body.push(chunk as Buffer)
  const own = /^(?:host|connection|content-length|accept-encoding)$/u
  const headers = Object.entries(request.headers).filter(([name]) => !own.test(name)) as [
    string,
    string,
  ][]
  const { method = 'GET', url = '/' } = request
  const content = body.length === 0 ? {} : { body: Buffer.concat(body) }
  const answer = await server.fetch(
    new Request(server.baseUrl + url, { method, headers, ...content }),
  )
  const text = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  if (manner === MANNERS[2]) {
    if (url.endsWith('/organizations')) {
      return response
        .writeHead(200, { 'content-type': 'text/html; \u009b2J' })
        .end(`<title>${HOSTILE}</title>`)
    }
    const message = `Your access token doesn't have the ${HOSTILE} scope`
    const errors = [{ field: `f${HOSTILE}`, code: `c${HOSTILE}` }]
    const status = url.includes('/suites/')
      ? 422
      : url.includes('/builds')
        ? 403
        : url.includes('/oauth')
          ? 400
          : 404
    response.writeHead(status, `\u009b2J ${SHELL}`, {
      'content-type': 'application/json',
      'x-oauth-scopes': `a, ${SCOPE}, \u009b2J`,
      'x-request-id': `\u009b2J ${SHELL}`,
    })
    return response.end(
      JSON.stringify({ message, errors, error: `e${HOSTILE}`, error_description: message }),
    )
  }
  const isJson = type.includes('json') && text !== ''
  const spoilt = isJson
    ? JSON.stringify(spoil(JSON.parse(text), manner))
    : text + HOSTILE.replace(/\u001b\[38[^m]*m|\n<LF>/gu, '')
  return response.writeHead(answer.status, { 'content-type': type }).end(spoilt)
}

const SUITE = '--org acme --suite web-unit'
const EXCHANGE = '--subject sam@acme.example --client-id bot --key key.pem --kid k1'
/** Lines for every command that asks a server. `<pick>` marks where a person is asked. */
const LINES: Readonly<Record<string, string>> = {
  'auth login':
    'ci auth login --with-token --insecure-storage --context there <token; ci auth login --client-id demo-terminal --insecure-storage --no-browser --context device',
  'auth status': 'ci auth status --all',
  'auth token': 'ci auth token --context there >/dev/null',
  'organizations list': 'ci organizations list',
  'pipelines list': 'ci pipelines list --org acme -L 3',
  'pipelines get': 'ci pipelines get acme/web',
  'builds list': 'ci builds list --org acme -L 5',
  'server capture': 'ci server capture -p acme/web -L 3',
  'builds get':
    'ci builds get acme/web#926 --context there; ci builds get; ci builds get -p acme/web',
  'builds logs':
    'ci builds logs acme/web#926 --failed --tail 2; ci builds logs acme/web#926 --job nope',
  'builds watch':
    'ci builds watch acme/web#926 --timeout 1s; BUILDWIRE_PLAIN=1 ci builds watch acme/web#926 --timeout 1s',
  'builds create': 'ci builds create -p acme/web -b main -c 1234 -m x',
  'builds cancel': 'ci builds cancel acme/web#@latest',
  'builds rebuild': 'ci builds rebuild acme/web#926',
  'builds retry': 'ci builds retry acme/web#926',
  'builds open': 'ci builds open acme/web#926',
  why: 'ci why acme/web#926; ci why acme/web#926 --format markdown',
  status: 'ci status',
  browse: 'ci browse acme/web#926',
  'jobs list': 'ci jobs list acme/web#926',
  'jobs get': 'ci jobs get acme/web#926 --job Lint',
  'jobs retry': 'ci jobs retry acme/web#926 --job Lint --yes',
  'jobs unblock': 'ci jobs unblock acme/web#925 --yes',
  'annotations list': 'ci annotations list acme/web#926',
  'annotations create': 'ci annotations create acme/web#926 --body x',
  'artifacts list': 'ci artifacts list acme/web#926',
  'artifacts download': 'ci artifacts download acme/web#926 --dir files',
  'tests list': `ci tests list ${SUITE} -L 3`,
  'tests get': `ci tests get $(ci tests list ${SUITE} -L 1 -o id | cut -c-36) ${SUITE}`,
  'tests find': `ci tests find ${SUITE} --scope Cart --name 'adds an item'`,
  'tests label': `ci tests label 00000000-0000-4000-8000-000000000001 ${SUITE} --add flaky`,
  'token mint': `ci token mint ${EXCHANGE}`,
  'token exec': `ci token exec ${EXCHANGE} -- true`,
  'token inspect': 'ci token inspect <token',
  'context list': 'ci context list',
  'context show': 'ci context show there',
  doctor: 'ci doctor',
  api: 'ci api organizations/acme/pipelines; ci api nowhere -i',
  'auth logout': 'ci auth logout --context there',
}
/** What no server has a word in. */
const LOCAL = [
  'completion',
  'context delete',
  'context set',
  'context use',
  'help',
  'keys generate',
  // Its answers are for a program: test/cli/mcp looks at them.
  'mcp',
  'server exec',
  'server prove',
  'server start',
  'version',
]

const CONTEXTS =
  'for name in there device; do ci context set $name --base-url "$BUILDWIRE_BASE_URL"; done'

/** `ci`, which says so when it does not end by itself. */
const BOUNDED = `ci() {
  timeout --foreground -s INT -k 5 60 "${process.execPath}" "${BIN}" "$@"
  case $? in 124|137) echo '<hangs>' ;; esac
}`

/** What was written for people, without the sequences that this program itself writes. */
function shownText(text: string): string {
  return text
    .replace(/\u001b\]8;;(?:https?:\/\/[!-~]*)?\u0007/gu, '')
    .replace(/\u001b\[(?:[0-9]{1,2}m|\?25[lh]|\?2026[lh]|2K|1A|G)|\r\u001b\[K/gu, '')
    .replace(/\r+\n/gu, '\n')
}

/**
 * The words of the command lines that a person may copy: at a line's end, behind a colon or alone.
 */
function copiedWords(text: string, cwd: string): string[] {
  const found = text.matchAll(
    /^.*?(?:: | {2})(ci (?:annotations|artifacts|auth|builds|doctor|jobs|organizations|pipelines|tests|token|why)\b.*)$/gmu,
  )
  return [...found].flatMap(([, line = '']) =>
    execFileSync('sh', ['-c', `ci() { printf '%s\\0' "$@"; }; ${line}`], {
      cwd,
      encoding: 'utf8',
    }).split('\0'),
  )
}

/** Types that as soon as the terminal shows this, if it ever does. */
function typeAt(child: Child, pattern: RegExp, keys: string): void {
  child.shows(pattern).then(
    () => child.process.stdin?.write(keys),
    () => undefined,
  )
}

describe.skipIf(!has('script'))('on a terminal (needs script)', () => {
  test('every command is tried', () => {
    expect([...Object.keys(LINES), ...LOCAL].sort()).toEqual(Object.keys(commands).sort())
  })

  test.each(MANNERS)(
    'no command writes raw, or as a command of its own, what comes from a server that is %s',
    async (manner) => {
      const home = await mkdtemp(join(tmpdir(), 'ci-hostile-'))
      let server: MockServer
      const front = createServer(
        (request, response) => void speak(request, response, server, manner),
      )
      const baseUrl = await listening(front)
      server = createMockServer({
        seed: 'demo',
        randomSeed: 7,
        baseUrl,
        clock: new VirtualClock({ now: Date.now() }),
      })
      const { admin: token = '' } = (await server.ready()).accessTokens
      try {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        await writeFile(
          join(home, 'key.pem'),
          privateKey.export({ type: 'pkcs8', format: 'pem' }),
          { mode: 0o600 },
        )
        await writeFile(join(home, 'token'), token)
        const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }]
        await server.control.apply(exchangeFor({ keys }))
        const env = {
          ...emptyEnv(home),
          BUILDWIRE_BASE_URL: baseUrl,
          BUILDWIRE_TOKEN: token,
          BUILDWIRE_ORG: 'acme',
          BUILDWIRE_NO_PAGER: '1',
        }
        const script = [
          BOUNDED,
          CONTEXTS,
          ...Object.entries(LINES).map(([name, line]) => `echo "== ${name}"; ${line}`),
        ].join('\n')
        const child = terminal(script, { columns: 200, rows: 50 }, { env, cwd: home })
        typeAt(child, /Which pipeline[\s\S]*Number/u, '1\n')
        typeAt(child, /Which build[\s\S]*Number/u, '1\n')
        typeAt(child, /(?:any|other) device/u, '\u0003')
        const text = shownText((await child.done).stdout)
        for (const part of text.split(/^== /mu)) {
          expect(part.replace(/\u2068([^\u2068\u2069]*)\u2069/gu, '$1')).not.toMatch(RAW)
          expect(part).not.toMatch(/^<(?:LF|hangs)>/mu)
        }
        expect(text).toContain('\ufffd')
        const copied = copiedWords(text, home).filter((word) => word.includes('pwned'))
        for (const word of copied)
          expect(
            [SHELL, SCOPE].some((whole) => word.includes(whole)),
            word,
          ).toBe(true)
        if (manner !== MANNERS[0]) expect(copied).not.toEqual([])
        expect(existsSync(join(home, 'pwned'))).toBe(false)
      } finally {
        front.close().closeAllConnections()
        await server.close()
        await rm(home, { recursive: true, force: true })
      }
    },
    240_000,
  )
})
