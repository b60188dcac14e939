import { describe, expect, it } from 'vitest'
import { reduceRemote } from '../../cli/src/context/git/git.js'
import { parseDuration } from '../../cli/src/flags/duration.js'
import { parseKeyValue, parseMetaData } from '../../cli/src/flags/key-value.js'
import {
  parseBuildReference,
  parsePipelineReference,
  parseTestUrl,
} from '../../cli/src/flags/number.js'
import { parseTime, timeToUtc } from '../../cli/src/flags/time.js'
import { parseAuthor } from '../../cli/src/jobs/create-body.js'
import { runCli } from './support/run-cli.js'

describe('--all and --limit', () => {
  it('cannot be used together, and the help is named', async () => {
    const env = { BUILDWIRE_BASE_URL: 'http://127.0.0.1:9', BUILDWIRE_TOKEN: 'token-1' }
    const { code, stderr } = await runCli(
      ['builds', 'list', '--all', '-L', '5', '-p', 'acme/web'],
      { env },
    )
    expect(code).toBe(2)
    expect(stderr).toBe(
      'Error: --all and --limit cannot be used together\n  Try: ci builds list --help\n',
    )
  })

  it('so do refusals of the SDK end with help', async () => {
    const env = { BUILDWIRE_BASE_URL: 'http://127.0.0.1:9', BUILDWIRE_TOKEN: 'token-1' }
    const { code, stderr } = await runCli(['builds', 'list', '--branch', '', '-p', 'acme/web'], {
      env,
    })
    const untimely = await runCli(['builds', 'list', '--created-from', '', '-p', 'acme/web'], {
      env,
    })
    expect(untimely.stderr).toContain('Error: --created-from: "" is not a time\n')
    expect(code).toBe(2)
    expect(stderr).toContain('  Try: ci builds list --help\n')
  })
})

describe('a build reference', () => {
  const bases = { baseUrl: 'https://api.example.test/ci', webUrl: 'https://ci.example.test' }
  const read = (text: string) => parseBuildReference(text, bases)

  it('is a number, alone or with its pipeline and organization', () => {
    for (const text of ['42', '#42']) expect(read(text)).toMatchObject({ number: 42 })
    expect(read('web#42')).toMatchObject({ pipeline_slug: 'web', number: 42 })
    expect(read('acme/web#42')).toMatchObject({
      org_slug: 'acme',
      pipeline_slug: 'web',
      number: 42,
    })
    expect(read('@latest')).toMatchObject({ number: 'latest' })
    expect(read('acme/web#@latest')).toMatchObject({ org_slug: 'acme', number: 'latest' })
  })

  it('is a URL of the context, and of no other place', () => {
    const found = { org_slug: 'acme', pipeline_slug: 'web', number: 42 }
    expect(read('https://ci.example.test/acme/web/builds/42')).toEqual(found)
    expect(read('https://ci.example.test/acme/web/builds/42#job')).toEqual(found)
    expect(
      read('https://api.example.test/ci/v2/organizations/acme/pipelines/web/builds/42'),
    ).toEqual(found)
    for (const url of [
      'https://evil.test/acme/web/builds/42',
      'https://ci.example.test/acme/web',
      'https://api.example.test/v2/organizations/acme/pipelines/web/builds/42',
    ]) {
      expect(() => read(url)).toThrow('is not a build of')
    }
  })

  it('is not a UUID, has no sign or exponent, and is at most 2⁵³ − 1', () => {
    expect(() => read('0190163d-8694-4a1a-9a31-33b2a3f0f1a5')).toThrow('by number, not by id')
    for (const text of [
      '0',
      '-1',
      '1e3',
      '4.2',
      '9007199254740992',
      'web',
      '',
      'a/b/c#1',
      '../x#1',
    ]) {
      expect(() => read(text)).toThrow()
    }
  })
})

describe('a pipeline', () => {
  it('is SLUG or ORG/SLUG', () => {
    expect(parsePipelineReference('web')).toEqual({ org_slug: undefined, pipeline_slug: 'web' })
    expect(parsePipelineReference('acme/web')).toEqual({ org_slug: 'acme', pipeline_slug: 'web' })
    for (const text of ['', '/web', 'a/b/c', '..', 'a b'])
      expect(() => parsePipelineReference(text)).toThrow('is not a pipeline')
  })
})

describe('a test URL', () => {
  const bases = { baseUrl: 'https://api.example.test', webUrl: 'https://ci.example.test' }
  const page = '/organizations/acme/analytics/suites/unit/tests/x1'

  it.each([
    `${bases.baseUrl}/v2/analytics/organizations/acme/suites/unit/tests/x1`,
    bases.webUrl + page,
  ])('is that of the API or of the web page: %s', (url) =>
    expect(parseTestUrl(url, bases)).toEqual({
      org_slug: 'acme',
      suite_slug: 'unit',
      test_id: 'x1',
    }),
  )

  it('is of no other place', () => {
    expect(() => parseTestUrl(`https://evil.test${page}`, bases)).toThrow('is not a test')
  })
})

describe('times', () => {
  const now = Date.parse('2026-11-27T14:28:11.000Z')
  const read = (text: string) => timeToUtc(parseTime(text), now)

  it('are ISO 8601, ages, today and yesterday, sent as UTC', () => {
    expect(read('2026-03-01T09:05:00Z')).toBe('2026-03-01T09:05:00.000Z')
    expect(read('2026-03-01T09:05:00+02:00')).toBe('2026-03-01T07:05:00.000Z')
    expect(read('2h')).toBe('2026-11-27T12:28:11.000Z')
    expect(read('1w')).toBe('2026-11-20T14:28:11.000Z')
    const midnight = new Date(now)
    midnight.setHours(0, 0, 0, 0)
    expect(read('today')).toBe(midnight.toISOString())
    midnight.setDate(midnight.getDate() - 1)
    expect(read('yesterday')).toBe(midnight.toISOString())
  })

  it('are nothing else', () => {
    const never = ['2026', '2026-02-31T25:00:00Z', '2026-02-30', '2026-04-31 10:00:00+02:00']
    for (const text of ['', 'soon', '2h30', '1.5h', ...never])
      expect(() => parseTime(text)).toThrow('is not a time')
    expect(() => parseTime('999999999w')).toThrow('more than a century ago')
    expect(read('2024-02-29 10:00:00.5 Z')).toBe('2024-02-29T10:00:00.500Z')
  })
})

describe('lengths of time', () => {
  it('have units, or are seconds', () => {
    expect(['90s', '15m', '1h30m', '200ms', '45', '1.5'].map(parseDuration)).toEqual([
      90_000, 900_000, 5_400_000, 200, 45_000, 1_500,
    ])
    for (const text of ['', '0', '-5', '1d', '5x', 'm']) expect(() => parseDuration(text)).toThrow()
  })
})

describe('pairs', () => {
  it('split at the first =', () => {
    expect(parseKeyValue('A=b=c,d')).toEqual({ key: 'A', value: 'b=c,d' })
    expect(parseKeyValue('A')).toEqual({ key: 'A', value: undefined })
    expect(() => parseKeyValue('=x')).toThrow('has no name')
  })

  it('of meta-data are booleans behind :=', () => {
    expect(parseMetaData('a=true')).toEqual({ key: 'a', value: 'true' })
    expect(parseMetaData('a:=true')).toEqual({ key: 'a', value: true })
    expect(() => parseMetaData('a:=yes')).toThrow('only true or false')
  })

  it('of an author are name and mail', () => {
    expect(parseAuthor('Robin Vega <robin@acme.example>')).toEqual({
      name: 'Robin Vega',
      email: 'robin@acme.example',
    })
    expect(() => parseAuthor('robin')).toThrow('is not an author')
  })
})

describe('a git remote', () => {
  it.each([
    ['git@git.example:acme/web.git', 'git.example/acme/web'],
    ['ssh://git@Git.Example:2222/acme/web.git', 'git.example/acme/web'],
    ['https://user:token@git.example/acme/web', 'git.example/acme/web'],
    ['https://git.example/acme/web/', 'git.example/acme/web'],
    ['/srv/git/web.git', null],
    ['../web', null],
    ['', null],
  ])('%s becomes %s', (url, reduced) => {
    expect(reduceRemote(url)).toBe(reduced)
  })
})
