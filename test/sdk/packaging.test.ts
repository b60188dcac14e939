import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main as generate } from '../../sdk/tools/generate.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)

let scratch: string
let tarball: string
let server: Server
let baseUrl: string

/**
 * Builds the package from its sources into a folder of its own and packs it, as publishing would.
 */
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'buildwire-sdk-'))
  const built = join(scratch, 'sdk')
  mkdirSync(built)
  for (const name of ['package.json', 'openapi.yaml', 'src'])
    cpSync(join(root, 'sdk', name), join(built, name), { recursive: true })
  const into = ['--outDir', join(built, 'dist'), '--tsBuildInfoFile', join(scratch, 'tsbuildinfo')]
  await run(bin('tsc'), ['-p', join(root, 'sdk'), ...into])
  // The tools read what they bundle from the folder, so it needs the packages too.
  symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'))
  await run(process.execPath, [join(root, 'sdk/tools/bundle.js'), `${join(built, 'dist')}/`])
  await generate(['dist/openapi.json'], pathToFileURL(`${built}/`))
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch], {
    cwd: built,
  })
  const packed = readdirSync(scratch).find((name) => name.endsWith('.tgz'))
  if (packed === undefined) throw new Error('npm packed nothing')
  tarball = join(scratch, packed)
  server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"id":"b","number":42,"state":"passed"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}, 120_000)

afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await new Promise((resolve) => server.close(resolve))
})

/** A user's program that has installed the tarball. */
async function consumer(
  files: Readonly<Record<string, string>>,
  others: readonly string[] = ['undici', 'jose', '@types', 'undici-types'],
): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'consumer-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@buildwire'), { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', join(modules, '@buildwire')])
  await run('mv', [join(modules, '@buildwire', 'package'), join(modules, '@buildwire', 'sdk')])
  for (const name of others) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const program = `
const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42 }
const operationsOf = ({ paths }) => Object.values(paths).flatMap((item) => Object.keys(item)).length
async function main() {
  const ci = new CiClient({ baseUrl: process.argv[2], auth: 'bwua_example' })
  const plain = new CiClient({ baseUrl: process.argv[2], auth: 'bwua_example', transport: nodeTransport() })
  const fetched = new CiClient({ baseUrl: process.argv[2], auth: 'bwua_example', transport: fetchTransport() })
  const builds = await Promise.all([ci, plain, fetched].map((one) => one.builds.get(path)))
  console.log(builds.map((build) => build.state).join(' '), Object.keys(operations).length === operationsOf(contract))
}
main()
`

const typed = `
import { CiClient, isCiError, type Build, type TokenProvider } from '@buildwire/sdk'
import { operations, type OperationId } from '@buildwire/sdk/contract'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { redisTokenStore } from '@buildwire/sdk/redis'

export async function newest(auth: TokenProvider): Promise<Build | undefined> {
  const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth, transport: nodeTransport() })
  const [build] = await ci.builds.list({ state: ['failed'], per_page: 1 }).toArray({ limit: 1 })
  return build
}
export const ids = Object.keys(operations) as OperationId[]
export const isWait = (error: unknown): number => (isCiError(error, 'rate_limited') ? error.retryAfterMs : 0)
export const store: typeof redisTokenStore = redisTokenStore
// @ts-expect-error a build is addressed by a number
export const wrong = new CiClient({ baseUrl: '' }).builds.get({ org_slug: 'a', pipeline_slug: 'b', number: '42' })
`

describe('B1: the packed tarball works in all four', () => {
  test('as ES module, in a program that ends by itself', async () => {
    const imports = `import { CiClient, fetchTransport } from '@buildwire/sdk'
import { operations } from '@buildwire/sdk/contract'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { createRequire } from 'node:module'
const contract = createRequire(import.meta.url)('@buildwire/sdk/openapi.json')
`
    const folder = await consumer({ 'main.mjs': imports + program })
    const { stdout, stderr } = await run(process.execPath, ['main.mjs', baseUrl], {
      cwd: folder,
      timeout: 30_000,
    })
    expect(stdout).toBe('passed passed passed true\n')
    expect(stderr).toBe('')
  })

  test('by require(), in a program that ends by itself', async () => {
    const imports = `const { CiClient, fetchTransport } = require('@buildwire/sdk')
const { operations } = require('@buildwire/sdk/contract')
const { nodeTransport } = require('@buildwire/sdk/node-http')
const contract = require('@buildwire/sdk/openapi.json')
`
    const folder = await consumer({ 'main.cjs': imports + program })
    const { stdout } = await run(process.execPath, ['main.cjs', baseUrl], {
      cwd: folder,
      timeout: 30_000,
    })
    expect(stdout).toBe('passed passed passed true\n')
  })

  test('as CommonJS beside the ES modules, and each copy recognises the other', async () => {
    const main = `
import { createRequire } from 'node:module'
import * as modules from '@buildwire/sdk'
const require = createRequire(import.meta.url)
const dist = './node_modules/@buildwire/sdk/dist/cjs/'
const { generateSigningKey, createSigner, CiClient, isCiError, ...common } = require(dist + 'index.js')
const { nodeTransport } = require(dist + 'node-http.js')
const names = Object.keys({ generateSigningKey, createSigner, CiClient, isCiError, ...common }).sort()
console.log(String(names) === String(Object.keys(modules).sort()), CiClient === modules.CiClient)
const caught = (run) => { try { run() } catch (error) { return error } }
const errors = [modules, { CiClient }].map((from) => caught(() => new from.CiClient({ baseUrl: '' })))
console.log(errors.map((error) => [isCiError(error, 'config'), modules.isCiError(error, 'config')].join()))
const key = (await generateSigningKey({ alg: 'ES256' })).revealPem()
const answer = { access_token: 'bwua_minted', token_type: 'Bearer', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', expires_in: 60 }
for (const [one, other] of [[modules, { createSigner }], [common, modules]]) {
  const transport = async () => ({ status: 200, header: () => undefined, entries: () => [], text: async () => JSON.stringify(answer), bytes: async () => new Uint8Array(), discard: async () => {} })
  const signer = await other.createSigner({ key })
  const exchange = new one.TokenExchange({ client_id: 'minter', subject_token_type: 'urn:example:email' }, { authUrl: 'https://auth.example', signer, transport })
  const tokens = await exchange.exchange({ subject_token: 'robin@acme.example', audience: 'acme', scope: 'read_builds' })
  console.log(tokens.access_token)
}
const late = async () => { throw new common.TransportTimeout('headers') }
const error = await new modules.CiClient({ baseUrl: 'https://api.example', auth: 'bwua_x', transport: late, maxRetries: 0 }).builds.list().catch((e) => e)
console.log(error.code, error.kind)
const ci = new CiClient({ baseUrl: process.argv[2], auth: 'bwua_example', transport: nodeTransport() })
console.log((await ci.builds.get({ org_slug: 'a', pipeline_slug: 'b', number: 42 })).state)
`
    const folder = await consumer({ 'main.mjs': main })
    const { stdout } = await run(process.execPath, ['main.mjs', baseUrl], { cwd: folder })
    expect(stdout.split('\n')).toEqual([
      'true false',
      "[ 'true,true', 'true,true' ]",
      'bwua_minted',
      'bwua_minted',
      'timeout headers',
      'passed',
      '',
    ])
  })

  test.each([
    ['node16', 'node16', 'main.mts', true],
    ['node16, from CommonJS', 'node16', 'main.cts', true],
    ['nodenext', 'nodenext', 'main.mts', true],
    ['nodenext', 'nodenext', 'main.mts', false],
    ['nodenext, from CommonJS', 'nodenext', 'main.cts', true],
    ['bundler', 'esnext', 'main.ts', true],
    ['bundler', 'esnext', 'main.ts', false],
    ['nodenext without the types of Node', 'nodenext', 'main.mts', true],
    ['bundler without the types of Node', 'esnext', 'main.ts', true],
  ])(
    'with its types under %s (%s, %s), exactOptionalPropertyTypes %s',
    async (name, module, file, exact) => {
      const moduleResolution = name.startsWith('bundler') ? 'bundler' : module
      const bare = name.endsWith('without the types of Node')
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: bare ? ['es2023', 'dom'] : ['es2023', 'esnext.disposable'],
        types: bare ? [] : ['node'],
        strict: true,
        exactOptionalPropertyTypes: exact,
        noEmit: true,
        skipLibCheck: false,
      }
      const files = {
        [file]: typed,
        'package.json': '{ "name": "consumer", "private": true }',
        'tsconfig.json': JSON.stringify({ compilerOptions, files: [file] }),
      }
      const folder = await (bare ? consumer(files, []) : consumer(files))
      const compiled = await run(bin('tsc'), ['-p', folder]).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      )
      expect(compiled).toBe('')
    },
  )
})

describe('bundled for workers and browsers there is neither undici nor Node in it, and no more than', () => {
  const calls = `import { CiClient } from '@buildwire/sdk'
export const read = (baseUrl, auth) => new CiClient({ baseUrl, auth }).builds.list().toArray({ limit: 3 })`
  const exchange = `import { CiClient, createSigner, TokenExchange } from '@buildwire/sdk'
export const make = async (key, options) => new TokenExchange(options, { ...options, signer: await createSigner({ key }) })
export { CiClient }`
  test.each([
    [200, 'a look at an error', `export { isCiError } from '@buildwire/sdk'`],
    [24_400, 'lists and calls', calls],
    [34_400, 'these and the exchange', exchange],
  ])('%d bytes of gzip for %s', async (most, _, contents) => {
    const resolveDir = await consumer({}, ['jose'])
    for (const conditions of [['workerd', 'worker', 'browser'], []]) {
      const { outputFiles, metafile } = await build({
        stdin: { contents, resolveDir },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        conditions,
        logLevel: 'silent',
        metafile: true,
      })
      expect(Object.keys(metafile.inputs).filter((path) => path.includes('undici/'))).toEqual([])
      expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
      expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength).toBeLessThanOrEqual(
        most,
      )
    }
  })
})

test('it holds what it needs and nothing else', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const names = stdout.trim().split('\n')
  const known =
    /^package\/((dist\/cjs\/)?package\.json|(dist\/)?openapi\.(yaml|json)|LICENSE|README\.md|(dist|src)\/[\w./-]+\.(js|ts|map))$/
  expect(names.filter((name) => !known.test(name))).toEqual([])
  expect(names).toEqual(
    expect.arrayContaining([
      'package/dist/bundle/index.js',
      'package/dist/index.d.ts',
      'package/dist/openapi.json',
      'package/src/index.ts',
    ]),
  )
})

test('only undici and jose are needed, no file waits at its top level, and node: stays where it belongs', () => {
  const manifest: { dependencies: object } = JSON.parse(
    readFileSync(join(root, 'sdk/package.json'), 'utf8'),
  )
  expect(Object.keys(manifest.dependencies).sort()).toEqual(['jose', 'undici'])
  const files = readdirSync(join(root, 'sdk/src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts'),
  )
  const texts = new Map(
    files.map((name) => [name, readFileSync(join(root, 'sdk/src', name), 'utf8')]),
  )
  const having = (pattern: RegExp): string[] =>
    files.filter((name) => pattern.test(texts.get(name) ?? '')).sort()
  expect(having(/^await |^const .* = await /m)).toEqual([])
  expect(having(/^import (?!type )[^'"]*['"]node:/m)).toMatchInlineSnapshot(`
    [
      "http/proxy-transport.ts",
      "oauth/redis-token-store.ts",
      "transport/node-body.ts",
      "transport/node-transport.ts",
    ]
  `)
  expect(having(/\b(setTimeout|Date\.now|performance\.now)\(/)).toEqual(['base/clock.ts'])
  expect(having(/AbortSignal\.(timeout|any)\(|node:timers/)).toEqual([])
})
