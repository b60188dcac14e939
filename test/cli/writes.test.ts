import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@buildwire/sdk/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
afterEach(() => started.server.control.rules.delete())
const { run } = started

const create = async (): Promise<number> => {
  const { stdout } = await run([
    'builds',
    'create',
    '-p',
    'acme/web',
    '-b',
    'main',
    '-c',
    'HEAD',
    '-o',
    'id',
  ])
  return Number(stdout)
}

describe('builds create', () => {
  it('sends flags over --from-json, and the rest of the object as it is', async () => {
    const given = {
      branch: 'main',
      commit: 'HEAD',
      message: 'given',
      env: { A: 'x', B: 'y' },
      meta_data: { a: '1' },
    }
    const line = 'builds create -p acme/web --from-json - -m typed -e A=flag -M b:=true --json'
    const { code, stdout } = await run(line, { stdin: JSON.stringify(given) })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      branch: 'main',
      message: 'typed',
      env: { A: 'flag', B: 'y' },
      meta_data: { a: '1', b: true },
      source: 'api',
    })
  })

  it('says the address of the new build on a terminal that shows no links, and so does rebuild', async () => {
    const argv = ['builds', 'create', '-p', 'acme/web', '-b', 'main', '-c', 'HEAD']
    const { stdout } = await run(argv, { columns: 100 })
    const [, number] = /^ {2}http\S+\/acme\/web\/builds\/(\d+)\n$/mu.exec(stdout) ?? []
    expect(Number(number)).toBeGreaterThan(0)
    const again = await run(['builds', 'rebuild', `acme/web#${number}`], { columns: 100 })
    expect(again.stdout).toContain(`/acme/web/builds/${Number(number) + 1}\n`)
  })

  it('takes -e NAME from the environment, and refuses a name that is not set', async () => {
    const argv = [
      'builds',
      'create',
      '-p',
      'acme/web',
      '-b',
      'main',
      '-c',
      'HEAD',
      '-e',
      'DEPLOY',
      '--json=env',
    ]
    const { stdout } = await run(argv, { env: { DEPLOY: 'yes' } })
    expect(JSON.parse(stdout)).toEqual({ env: { DEPLOY: 'yes' } })
    expect(await run(argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DEPLOY=VALUE'),
    })
  })

  it.each([
    ['--from-json', '--message-file'],
    ['--env-file', '--message-file'],
  ])('refuses %s - and %s - together before it reads anything', async (first, second) => {
    const { code, stderr } = await run([
      'builds',
      'create',
      '-p',
      'acme/web',
      second,
      '-',
      first,
      '-',
    ])
    expect(code).toBe(2)
    expect(stderr).toContain(`${first} - and ${second} - both read stdin; only one can`)
  })

  it('shows the request under --dry-run, and sends nothing', async () => {
    await started.server.control.requests.delete()
    const labels = '--pull-request-label a --pull-request-label b'
    const line = `builds create -p acme/web -b main -c v1 ${labels} --dry-run --json --author`
    const { code, stdout } = await run([...line.split(' '), 'Kim <kim@acme.example>'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      operationId: 'builds.create',
      method: 'POST',
      path: '/v2/organizations/acme/pipelines/web/builds',
      body: {
        branch: 'main',
        commit: 'v1',
        author: { name: 'Kim', email: 'kim@acme.example' },
        pull_request_labels: ['a', 'b'],
      },
    })
    expect(await started.server.control.requests.list()).toEqual([])
  })
})

describe('several builds', () => {
  it('are changed one after another; JSON is an array of the successful ones', async () => {
    const [a, b] = [await create(), await create()]
    const line = `builds cancel web#${a} web#${b} --cancel-reason superseded --json=number,state,cancel_reason`
    const { code, stdout, stderr } = await run(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(
      [a, b].map((number) => ({ number, state: 'canceled', cancel_reason: 'superseded' })),
    )
  })

  it('do not stop at an error, and exit by the failures where they agree', async () => {
    const open = await create()
    const agree = await run([
      'builds',
      'cancel',
      'web#88888',
      `web#${open}`,
      'web#99999',
      '-o',
      'id',
    ])
    expect(agree).toMatchObject({ code: 5, stdout: `acme/web#${open}\n` })
    expect(agree.stderr.match(/^Error: build/gmu)).toHaveLength(2)
    const differ = await run(['builds', 'cancel', `web#${open}`, 'web#99999', '--json'])
    expect(differ).toMatchObject({ code: 1, stdout: '[]\n' })
    const errors = differ.stderr.trimEnd().split('\n')
    expect(errors.map((line) => JSON.parse(line).error.code)).toEqual([
      'unprocessable',
      'not_found',
    ])
  })
})

describe('rebuild and retry', () => {
  it('print the new build, and how many jobs run again', async () => {
    const source = await create()
    const rebuilt = await run([
      'builds',
      'rebuild',
      `acme/web#${source}`,
      '--json=number,rebuilt_from.number',
    ])
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ rebuilt_from: { number: source } })
    const failed = (await run('builds list -p acme/web --state failed -L 1 -o id')).stdout.trim()
    const retried = await run(['builds', 'retry', `web#${failed}`])
    expect(retried.code).toBe(0)
    expect(retried.stderr).toMatch(
      /^#\d+: \d+ jobs? retried; the build keeps its state until one starts\n(?:.* is unstable: .*\n)?$/u,
    )
    const counted = await run([
      'builds',
      'retry',
      `web#${failed}`,
      '--json=number,retried_jobs_count',
    ])
    expect(JSON.parse(counted.stdout)).toEqual({ number: Number(failed), retried_jobs_count: 0 })
    const refused = await run(['builds', 'retry', `web#${failed}`, '--state', 'bogus', '--json'])
    expect(refused.code).toBe(7)
    expect(JSON.parse(refused.stderr).error.detail).toContain(
      'canceled, expired, failed, soft_failed, timed_out',
    )
  })
})

describe('tests label', () => {
  it('adds first, then takes off, and prints one result', async () => {
    const [id] = (await run(['tests', 'list', '--suite', 'web-unit', '-L', '1', '-o', 'id'])).stdout
      .trim()
      .split('\n')
    const label = `tests label ${id} --suite web-unit`
    const { code, stdout } = await run(`${label} --add slow --add a,b --remove slow --json=labels`)
    expect(code).toBe(0)
    const { labels } = JSON.parse(stdout)
    expect(labels).toContain('a,b')
    expect(labels).not.toContain('slow')
    expect(await run(label)).toMatchObject({ code: 2 })
  })
})

describe('a list that fails half-way', () => {
  it('keeps the lines it wrote, prints no half JSON, and says how much was read', async () => {
    const fault = {
      match: { operation: 'builds.listForPipeline' },
      skip: 1,
      actions: [{ respond: { status: 500, json: { message: 'Boom' } } }],
    }
    const argv = ['builds', 'list', '-p', 'acme/web', '--all', '--per-page', '10', '--retries', '0']
    for (const [form, lines] of [
      [[], 10],
      [['-o', 'jsonl'], 10],
      // Ten objects and the beginning of the list, which does not end.
      [['--json=number'], 31],
      [['--jq', 'length'], 0],
    ] as const) {
      await started.server.control.rules.delete()
      await started.server.control.rules.create(fault)
      const { code, stdout, stderr } = await run([...argv, ...form])
      expect(code).toBe(3)
      expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(lines)
      if (form.length === 0) expect(stderr).toContain('10 builds were read before')
    }
    await started.server.control.rules.delete()
    await started.server.control.rules.create(fault)
    expect(await run(argv, { columns: 100 })).toMatchObject({ code: 3, stdout: '' })
  })
})

const EXTENSIONS = Object.values(operations)
  .filter(({ extension }) => extension)
  .map(({ id }) => id)

describe('a server without the extension operations', () => {
  it('leaves every other command working, or names the missing operation and its replacement', async () => {
    for (const operation of EXTENSIONS) {
      await started.server.control.rules.create({
        match: { operation },
        actions: [
          {
            respond: {
              status: 404,
              text: '<h1>Not Found</h1>',
              headers: { 'Content-Type': 'text/html' },
            },
          },
        ],
      })
    }
    expect((await run(['builds', 'list', '-p', 'acme/web', '-L', '1'])).code).toBe(0)
    const said = async (argv: readonly string[], env: Record<string, string> = {}) => {
      const { code, stderr } = await run(argv, { env })
      return [code, stderr] as const
    }
    expect(await said(['builds', 'list', '--creator', '@me'])).toEqual([
      5,
      expect.stringContaining('--creator UUID'),
    ])
    expect(await said(['pipelines', 'list'])).toEqual([5, expect.stringContaining('-p acme/SLUG')])
    expect(await said(['pipelines', 'get', 'web'])).toEqual([
      5,
      expect.stringContaining('ci builds list -p acme/web'),
    ])
    expect(await said(['builds', 'logs', 'acme/web#926', '--failed'])).toEqual([
      5,
      expect.stringMatching(/Try: ci builds open acme\/web#926 --job \S.*$/mu),
    ])
    for (const words of [
      ['jobs', 'get', 'acme/web#926', '--job', 'lint'],
      ['jobs', 'retry', 'acme/web#926', '--job', 'lint'],
      ['jobs', 'unblock', 'acme/web#926', '--job', 'lint'],
      ['annotations', 'list', 'acme/web#926'],
      ['annotations', 'create', 'acme/web#926', '--body', 'x'],
      ['artifacts', 'list', 'acme/web#926'],
      ['artifacts', 'download', 'acme/web#926'],
    ]) {
      const offered = expect.stringMatching(
        /^Error: this server does not offer .*\n.*\n.*: ci builds \w+ acme\/web#926\n$/u,
      )
      expect(await said(words)).toEqual([5, offered])
    }
    expect((await run(['api', 'user'])).stderr).toMatch(
      /answered 404\n {2}request [0-9a-f-]{36}\n$/u,
    )
    const inspected = await run(['token', 'inspect'], { stdin: 'some-token-1' })
    expect([inspected.code, inspected.stderr]).toEqual([
      5,
      expect.stringContaining('ci token inspect --offline'),
    ])
    expect((await run(['builds', 'get', 'acme/web#926', '-o', 'id'])).code).toBe(0)
    expect((await run(['builds', 'watch', 'acme/web#926', '--until', 'started'])).stdout).toContain(
      'build 926',
    )
    expect((await run(['tests', 'list', '--suite', 'web-unit', '-L', '1'])).code).toBe(0)
    expect(await said(['organizations', 'list'])).toEqual([
      5,
      expect.stringContaining('--org SLUG'),
    ])
    expect(await said(['tests', 'list', '--suite', 'web-unit'], { BUILDWIRE_ORG: '' })).toEqual([
      2,
      expect.stringContaining('--org SLUG'),
    ])
    expect((await run(['doctor'])).stdout).toContain('does not offer to look at tokens')
  })
})

describe('doctor', () => {
  it('shows where each value comes from, never the token, and exits 1 on a fault', async () => {
    const good = await run(['doctor'])
    expect(good.code).toBe(0)
    expect(good.stdout).toContain('\tserver\t')
    expect(good.stdout).not.toContain(started.token)
    const bad = await run(['doctor'], { env: { BUILDWIRE_TOKEN: 'wrong-token-1' } })
    expect(bad.code).toBe(1)
    expect(bad.stdout).not.toContain('wrong-token-1')
    expect(
      (await run(['doctor', '--offline'], { env: { BUILDWIRE_TOKEN: 'wrong-token-1' } })).code,
    ).toBe(0)
    const drawn = await run(['doctor', '--no-color'], { columns: 100 })
    expect(drawn.stdout).toContain('✓ ')
    expect(JSON.parse((await run(['doctor', '--json'])).stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'server', ok: true })]),
    )
  })

  it('says of a directory that other users can write to how to mend it', async () => {
    const path = await mkdtemp(join(tmpdir(), 'ci-shared-'))
    await chmod(path, 0o777)
    const env = { BUILDWIRE_CONFIG_DIR: path }
    const { code, stdout } = await run(['doctor', '--offline', '--json'], { env })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'directory',
      ok: false,
      value: `${path} can be written by other users`,
      source: expect.stringContaining('chmod go-w'),
    })
  })
})
