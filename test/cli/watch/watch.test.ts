import type { Build } from '@buildwire/sdk/contract'
import { describe, expect, test } from 'vitest'
import { memoryIo } from '../support/memory-io.js'
import { workshopOfTest } from '../support/workshop.js'
import { buildsOf, COMMIT } from './shop-builds.js'

const shop = workshopOfTest()
const { newBuild, advance, later } = buildsOf(shop)

const watch = (build: Build, ...flags: string[]) =>
  shop.run(['builds', 'watch', String(build.number), ...flags])

describe('C1: a watch of a build that is over prints its result once', () => {
  test('failed exits 1', async () => {
    const build = await newBuild()
    await advance(build, 'finished', 'failed')
    const { code, stdout, stderr } = await watch(build)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `acme/web (BUILDWIRE_PIPELINE)\nWhy it failed: ci why acme/web#${build.number}\nLogs: ci builds logs acme/web#${build.number} --failed\n`,
    })
    expect(stdout).toMatch(
      /^2026-11-27T13:02:\d\dZ build \d+: failed( after \S+)? http:\S+\/acme\/web\/builds\/\d+\n$/u,
    )
  })

  test('blocked exits 11, and 0 under --until blocked; --allow-blocked continues', async () => {
    const build = await newBuild()
    await advance(build, 'blocked')
    const blocked = await watch(build)
    expect(blocked.code).toBe(11)
    expect(blocked.stdout).toContain(`build ${build.number}: blocked`)
    expect((await watch(build, '--until', 'blocked')).code).toBe(0)
    expect((await watch(build, '--json')).stderr).toBe('')
    const compact = await watch(build, '--compact')
    expect(compact.stderr).toContain(`to unblock it: ci jobs unblock acme/web#${build.number}\n`)
    const step = /^".+" waits for a person; to unblock it: ci (jobs unblock \S+)$/mu
    const [, words = ''] = step.exec(blocked.stderr) ?? []
    expect((await watch(build, '--allow-blocked', '--timeout', '1m')).code).toBe(8)
    expect((await shop.run(words.split(' '))).code).toBe(0)
    expect((await watch(build, '--timeout', '1m')).code).toBe(8)
  })
})

describe('a watch', () => {
  test('prints each change when it happens, and exits by the outcome', async () => {
    const build = await newBuild()
    void later(8000, () => advance(build, 'started'))
    void later(20_000, () => advance(build, 'finished', 'passed'))
    void later(40_000, async () => {
      const gate = (await shop.run(['builds', 'get', String(build.number), '--json=jobs'])).stdout
      const { jobs } = JSON.parse(gate) as Build
      await shop.control.jobs.unblock({
        job_id: jobs?.find(({ type }) => type === 'manual')?.id ?? '',
      })
      await advance(build, 'finished', 'passed')
    })
    const { code, stdout } = await watch(build, '--allow-blocked')
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^2026-11-27T13:02:0\dZ build \d+: scheduled$/u)
    expect(stdout).toContain('job "make lint": scheduled -> running')
    expect(lines.at(-1)).toMatch(/ build \d+: \S+ -> passed after \S+( \S+)? http:\S+$/u)
    for (const line of lines) expect(line).toMatch(/^2026-11-27T13:0\d:\d\dZ (build|job) /u)
  })

  test('prints the command to resume at the end of --timeout, and exits with 8', async () => {
    const build = await newBuild()
    const { code, stdout, stderr } = await watch(build, '--timeout', '90s')
    expect(code).toBe(8)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain(`still running; resume: ci builds watch acme/web#${build.number}\n`)
    expect(stderr).toContain(`build ${build.number}: still scheduled`)
  })

  test('--json prints the build as last read; -o id prints its number', async () => {
    const build = await newBuild()
    void later(8000, () => advance(build, 'finished', 'failed'))
    const { code, stdout, stderr } = await watch(build, '--json', '--allow-blocked')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ number: build.number, state: 'failed' })
    expect((await watch(build, '-o', 'id')).stdout).toBe(`${build.number}\n`)
    expect((await watch(build, '--json=state')).stdout).toBe('{\n  "state": "failed"\n}\n')
  })

  test('-o jsonl begins with watch.start and ends with build.finished', async () => {
    const build = await newBuild()
    void later(8000, () => advance(build, 'finished', 'failed'))
    const { code, stdout } = await watch(build, '-o', 'jsonl')
    const lines = stdout.trimEnd().split('\n')
    expect({ code, first: lines[0] }).toEqual({
      code: 1,
      first: '{"type":"watch.start","schemaVersion":1}',
    })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      type: 'build.finished',
      number: build.number,
      exitCode: 1,
    })
  })

  test('without NUMBER it follows the newest build of a branch, and waits until one appears', async () => {
    const build = await newBuild()
    await advance(build, 'finished', 'failed')
    const newest = await shop.run(['builds', 'watch', '--branch', 'main'])
    expect(newest.code).toBe(1)
    expect(newest.stdout).toContain(`build ${build.number}: failed`)
    const none = await shop.run(['builds', 'watch', '--branch', 'nowhere', '--wait-start', '20s'])
    expect(none.code).toBe(5)
    expect(none.stderr).toContain('no build of branch nowhere')
    // Outside a checkout the newest build of the named pipeline is watched.
    expect((await shop.run(['builds', 'watch'])).code).toBe(1)
  })

  test('a signal ends it at once and prints the command to resume', async () => {
    const build = await newBuild()
    const io = memoryIo({ env: shop.env })
    void later(7000, async () => io.signal('SIGTERM'))
    const { code, stderr } = await shop.run(['builds', 'watch', String(build.number)], { io })
    expect(code).toBe(143)
    expect(stderr).toContain(`still running; resume: ci builds watch acme/web#${build.number}\n`)
  })
})

describe('several builds', () => {
  const inOrganization = { env: { BUILDWIRE_PIPELINE: '' } }
  const elsewhere = () =>
    shop.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'api',
      commit: COMMIT,
      branch: 'main',
    })

  test('the worst outcome is the exit code; each line names its build, and failed builds get a next command', async () => {
    const passing = await newBuild()
    const failing = await newBuild()
    void later(8000, () => advance(failing, 'finished', 'failed'))
    void later(20_000, () => shop.run(['builds', 'cancel', String(passing.number)]))
    const { code, stdout, stderr } = await watch(
      passing,
      String(failing.number),
      String(failing.number),
    )
    expect(code).toBe(1)
    const ends = stdout.trimEnd().split('\n')
    expect(
      ends.filter((line) => / build \S+: (?:\S+ -> )?(?:failed|canceled)/u.test(line)),
    ).toEqual([
      expect.stringContaining(`build acme/web#${failing.number}: `),
      expect.stringContaining(`build acme/web#${passing.number}: `),
    ])
    expect(stderr.match(/^Logs: .*/gmu)).toEqual([
      `Logs: ci builds logs acme/web#${failing.number} --failed`,
    ])
  })

  test('an error of one build does not end the others; --json prints the builds that were read', async () => {
    const build = await newBuild()
    await advance(build, 'finished', 'passed')
    await shop.run(['builds', 'cancel', String((await newBuild()).number)])
    const { code, stdout, stderr } = await watch(
      build,
      '99',
      '--allow-blocked',
      '--json',
      '--timeout',
      '1m',
    )
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject([{ number: build.number }])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found' } })
  })

  test('--fail-fast ends with the first failure', async () => {
    const running = await newBuild()
    const failing = await newBuild()
    void later(8000, () => advance(failing, 'finished', 'failed'))
    const { code, stdout } = await watch(
      running,
      String(failing.number),
      '--fail-fast',
      '-o',
      'jsonl',
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'build.finished',
      build: `acme/web#${failing.number}`,
    })
  })

  test('--commit finds the newest build in each pipeline by one list of the organization', async () => {
    await newBuild()
    const builds = [await newBuild(), await elsewhere()]
    for (const build of builds) await advance(build, 'finished', 'failed')
    const { code, stdout } = await shop.run(['builds', 'watch', '--commit', COMMIT], inOrganization)
    expect(code).toBe(1)
    const names = [...stdout.matchAll(/build (\S+): failed/gu)].map(([, name]) => name)
    expect(names.sort()).toEqual(['acme/api#1', `acme/web#${builds[0]?.number}`])
    const lists = await shop.control.requests.find({
      match: { operation: 'builds.listForOrganization' },
    })
    expect(lists).toHaveLength(1)
    const named = await shop.run(['builds', 'watch', '--commit', COMMIT])
    expect(named.stdout).toMatch(new RegExp(`^\\S+ build ${builds[0]?.number}: failed`, 'u'))
    const none = await shop.run(
      ['builds', 'watch', '--commit', 'f'.repeat(40), '--wait-start', '6s'],
      inOrganization,
    )
    expect(none.code).toBe(5)
    expect(none.stderr).toContain('acme has no build of commit ffffffffffff')
  })
})

describe('C2: failed requests', () => {
  test('a 502 with HTML, a reset and an unreadable page do not end a watch', async () => {
    const build = await newBuild()
    const match = { operation: 'builds.get' }
    await shop.control.rules.create([
      { match, skip: 1, times: 1, actions: [{ preset: 'badGatewayHtml' }] },
      { match, skip: 2, times: 1, actions: [{ socket: 'reset' }] },
      { match, skip: 3, times: 1, actions: [{ preset: 'truncatedJson' }] },
    ])
    void later(120_000, () => advance(build, 'finished', 'failed'))
    const { code, stdout, stderr } = await watch(build, '--retries', '0')
    expect(code).toBe(1)
    expect(stderr.match(/^Warning: .*next try in/gmu)?.length).toBeGreaterThan(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('failed')
    expect((await shop.control.rules.list()).map(({ left }) => left)).toEqual([0, 0, 0])
  })
})

describe('C3: --until failing', () => {
  test('ends with 1 and names the job as soon as a job promises to fail', async () => {
    const build = await newBuild()
    await advance(build, 'started')
    const job_id = build.jobs?.[0]?.id ?? ''
    void later(10_000, () => shop.control.jobs.promiseFailure({ job_id, exit_status: 1 }))
    const { code, stdout } = await watch(build, '--until', 'failing')
    expect(code).toBe(1)
    expect(stdout).toContain('job "make lint": promised exit 1\n')
    expect(
      (await shop.run(['builds', 'get', String(build.number), '--json=state'])).stdout,
    ).toContain('"running"')
  })

  test('--fail-fast exits with 0 if the build passes', async () => {
    const build = await newBuild()
    await advance(build, 'finished', 'passed')
    expect((await watch(build, '--fail-fast')).code).toBe(0)
  })

  test('--until started exits with 0 when the build has started', async () => {
    const build = await newBuild()
    void later(10_000, () => advance(build, 'started'))
    expect((await watch(build, '--until', 'started')).code).toBe(0)
  })
})
