import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.js'
import { capabilities } from './capabilities.js'
import { ConfigError, readConfig } from './config.js'
import { rows } from './rows/index.js'
import { needsOf } from './run.js'
import { applications, seed } from './seed.js'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const tsconfig = fileURLToPath(new URL('../support/program.tsconfig.json', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
const file = (name: string, content: string | object): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

let server: MockServer
let tokens: Readonly<Record<string, string>>

beforeAll(async () => {
  server = createMockServer({ seed })
  await server.listen({ port: 0 })
  tokens = (await server.ready()).accessTokens
  file('key.pem', applications.exchange?.key.export({ type: 'pkcs8', format: 'pem' }) as string)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs the kit by its command line. */
const kit = (...args: readonly string[]) =>
  runProgram(process.execPath, ['--import', 'tsx', main, ...args], {
    env: { PATH: process.env['PATH'], TSX_TSCONFIG_PATH: tsconfig, KIT_TOKEN: tokens['admin'] },
  })

const least = () => ({
  organization: 'acme',
  pipeline: 'zoo',
  tokens: { admin: { env: 'KIT_TOKEN' } },
})
const most = () => ({
  ...least(),
  suite: 'zoo-unit',
  secondOrganization: 'orbit',
  allowWrites: true,
  tokens: { admin: tokens['admin'], reader: tokens['reader'], bare: tokens['bare'] },
  applications: {
    device: applications.device,
    confidential: applications.confidential,
    exchange: {
      client_id: 'conformance-exchange',
      privateKeyFile: 'key.pem',
      kid: 'kit',
      subject_token: 'robin@acme.example',
      scope: 'read_builds',
    },
  },
})

interface Report {
  readonly summary: {
    readonly passed: number
    readonly failed: number
    readonly notApplicable: number
  }
  readonly results: readonly {
    readonly id: string
    readonly outcome: string
    readonly reason?: string
  }[]
}

describe('the kit against a server by URL', { timeout: 120_000 }, () => {
  it('runs the rows that need no control API, and gives the reason why others are not applicable', async () => {
    const config = file('most.json', most())
    const out = join(folder, 'most-report.json')
    const { code, stdout } = await kit(
      '--target',
      server.baseUrl,
      '--config',
      config,
      '--json',
      out,
    )
    const { results, summary } = JSON.parse(readFileSync(out, 'utf8')) as Report
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(code, stdout).toBe(0)
    const seedRows = rows.filter((row) => needsOf(row).includes('seed'))
    const unasked = results.filter(({ outcome }) => outcome === 'not applicable')
    expect(unasked.map(({ id }) => id).toSorted()).toEqual(seedRows.map(({ id }) => id).toSorted())
    for (const { reason } of unasked)
      expect(reason).toContain('control API of the reference server')
    expect(summary.passed).toBe(rows.length - seedRows.length)
    expect(stdout).toContain(
      `${summary.passed} of ${summary.passed} rows hold, ${seedRows.length} not applicable`,
    )
  })

  it('passes no row without a request if it knows only a token and a pipeline', async () => {
    const config = file(
      'least.yaml',
      `baseUrl: ${server.baseUrl}\norganization: acme\npipeline: zoo\ntokens: { admin: { env: KIT_TOKEN } }\n`,
    )
    const { code, stdout } = await kit('--config', config, '--json', '-')
    expect(code, stdout.slice(-2_000)).toBe(0)
    const { results } = JSON.parse(stdout) as Report
    const lacking = ['seed', 'writes', 'reader', 'bare', 'secondOrganization', 'suite']
    for (const row of rows) {
      if (!needsOf(row).some((need) => lacking.includes(need))) continue
      expect(results.find(({ id }) => id === row.id)?.outcome, row.id).toBe('not applicable')
    }
  })

  it('runs every row with the control API, in a sandbox that it removes', async () => {
    const before = await server.control.records.list({ collection: 'builds' })
    const control = { url: `${server.baseUrl}/_control`, token: server.controlToken }
    const { code, stdout, stderr } = await kit(
      '--target',
      server.baseUrl,
      '--config',
      file('control.json', { control }),
    )
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain(`${rows.length} of ${rows.length} rows hold\n`)
    expect(await server.control.sandboxes.list()).toEqual([])
    expect(await server.control.records.list({ collection: 'builds' })).toHaveLength(before.length)
  })

  it('exits with 1 if a row fails, and names the row in every report', async () => {
    await server.control.rules.create({
      id: 'broken',
      match: { operation: 'builds.listForPipeline' },
      actions: [{ patchResponse: { headers: { link: null } } }],
    })
    const names = ['tap', 'junit', 'json'] as const
    const to = names.flatMap((name) => [`--${name}`, join(folder, `broken.${name}`)])
    const only = ['--only', 'AB-links,AB-get,FI1']
    const { code, stdout } = await kit(
      '--target',
      server.baseUrl,
      '--config',
      file('b.json', most()),
      ...only,
      ...to,
    )
    await server.control.rules.delete({ id: 'broken' })
    expect(code).toBe(1)
    expect(stdout).toContain('failed: AB-links (D, wire/paging)')
    const [tap, junit, json] = names.map((name) =>
      readFileSync(join(folder, `broken.${name}`), 'utf8'),
    )
    expect(tap).toMatch(/^TAP version 14\n1\.\.3\n/)
    expect(tap).toMatch(/^not ok \d - AB-links/m)
    expect(tap).toMatch(/^ok \d - AB-get/m)
    expect(tap).toMatch(/^ok \d - FI1 .* # SKIP not applicable: needs records of the kit/m)
    expect(junit).toContain('<testsuites name="conformance" tests="3" failures="1" skipped="1">')
    expect(junit?.match(/<failure type="D" message="/g)).toHaveLength(1)
    expect(JSON.parse(json ?? '').summary).toEqual({ passed: 1, failed: 1, notApplicable: 1 })
    for (const text of [tap, junit, json, stdout]) {
      for (const token of Object.values(tokens)) expect(text).not.toContain(token)
    }
  })
})

describe('the command line of the kit', () => {
  it('lists the rows', async () => {
    const { code, stdout } = await kit('--list')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(rows.length)
    expect(rows.length).toBeGreaterThanOrEqual(250)
  })

  it.each([
    [['--only', 'NOPE'], 'there is no row NOPE'],
    [['--level', 'X'], 'X is none of M, S, D'],
    [['--target', 'http://127.0.0.1:1'], '--target needs --config FILE'],
    [['--nope'], '--nope'],
    [['--config', '/nowhere.yaml'], 'cannot be read (ENOENT)'],
    [['--only', 'AB-get', '--level', 'D'], '--only and --level leave no row'],
    [
      ['--only', 'AB-get', '--json', '/nowhere/report.json'],
      '--json: /nowhere/report.json cannot be written (ENOENT)',
    ],
    [
      ['--target', 'ci.acme.example', '--config', file('target.json', least())],
      '--target must be an http or https URL',
    ],
  ])('refuses %j with 2', async (args, message) => {
    const { code, stderr } = await kit(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })

  it('exits with 3 if the server is not one of this API', async () => {
    const config = file('elsewhere.json', { ...least(), pipeline: 'nowhere' })
    const { code, stdout, stderr } = await kit('--target', server.baseUrl, '--config', config)
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /nowhere\/builds\?per_page=1 shows no list of builds, but 404 .*\ndo the address, .* fit\?\n$/,
    )
  })
})

describe('a configuration', () => {
  it.each([
    [{ ...least(), pipelines: 'x' }, 'pipelines is unknown here'],
    [{ pipeline: 'x', tokens: { admin: 'a' } }, 'organization is missing'],
    [{ ...least(), tokens: {} }, 'tokens.admin is missing'],
    [
      { ...least(), tokens: { admin: { env: 'KIT_UNSET' } } },
      'tokens.admin: the variable KIT_UNSET is not set',
    ],
    [
      { ...least(), tokens: { admin: { enw: 'KIT_TOKEN' } } },
      'tokens.admin must be a text or { env: NAME }',
    ],
    [
      { ...least(), tokens: { admin: 'a\nb' } },
      'tokens.admin holds characters that no header can carry',
    ],
    [{ ...least(), baseUrl: 'ci.acme.example' }, 'baseUrl must be an http or https URL'],
    [
      { ...least(), authUrl: 'https://a:b@ci.acme.example' },
      'authUrl must be an http or https URL without a user',
    ],
    [
      { control: { url: 'ftp://127.0.0.1/_control', token: 't' } },
      'control.url must be an http or https URL',
    ],
    ['organization: acme\ntokens: { admin: s3cret', 'wrong.json is no YAML or JSON: line 2'],
    [{ ...least(), tokens: { admin: 'a', root: 'b' } }, 'tokens.root is unknown here'],
    [
      { ...least(), allowWrites: 'yes', tokens: { admin: 'a' } },
      'allowWrites must be true or false',
    ],
    [
      { ...least(), tokens: { admin: 'a' }, applications: { device: { scope: 'x' } } },
      'applications.device.client_id is missing',
    ],
    [
      { control: { url: 'http://127.0.0.1:1/_control', token: 't' }, pipeline: 'x' },
      'pipeline is unknown here',
    ],
  ])('%#: names the key that is wrong', (content, message) => {
    const config = file('wrong.json', content)
    expect(() => readConfig(config, {})).toThrow(ConfigError)
    expect(() => readConfig(config, {})).toThrow(message)
    expect(() => readConfig(config, {})).not.toThrow(/s3cret|a\nb/)
  })

  it('whose key cannot be read shows no part of the file in its error', () => {
    const exchange = { ...most().applications.exchange, privateKeyFile: 'wrong.pem' }
    file('wrong.pem', 'not a key but a secret')
    const config = file('key.json', {
      ...least(),
      tokens: { admin: 'a' },
      applications: { exchange },
    })
    expect(() => readConfig(config, {})).toThrow(
      /^applications\.exchange\.privateKeyFile: .*wrong\.pem is no readable private key$/,
    )
  })

  it.each([0, 1])('in the documentation can be read (%i)', (at) => {
    const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')
    const yaml = [...page.matchAll(/^```yaml\n(.*?)^```/gms)][at]?.[1] ?? ''
    file('kit.private.pem', readFileSync(join(folder, 'key.pem'), 'utf8'))
    const env = Object.fromEntries(
      [...yaml.matchAll(/env: (\w+)/g)].map(([, name]) => [name, 'a-value']),
    )
    const config = readConfig(file('page.yaml', yaml), env)
    expect(config.baseUrl).toMatch(/^http/)
    if (at === 0) expect(config.applications.exchange?.alg).toBe('ES256')
    else expect(config.control?.token).toBe('a-value')
  })

  it('has a description for every capability', () => {
    const needed = new Set(rows.flatMap(needsOf))
    expect([...needed].filter((need) => !(need in capabilities))).toEqual([])
  })
})
