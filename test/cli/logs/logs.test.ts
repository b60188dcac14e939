import type { Build } from '@buildwire/sdk/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { workshopOfTest } from '../support/workshop.js'

const shop = workshopOfTest()
let build: Build

const jobId = (name: string) => build.jobs?.find((job) => job.name === name)?.id ?? ''
const logs = (...flags: string[]) => shop.run(['builds', 'logs', String(build.number), ...flags])
const later = (ms: number, run: () => Promise<unknown>) => shop.clock.sleep(ms).then(run)

beforeEach(async () => {
  build = await shop.control.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    commit: 'HEAD',
    branch: 'main',
  })
  await shop.control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' })
  await shop.control.jobLogs.set({
    job_id: jobId('make lint'),
    content: '$ make lint\r\r\n\u001b[31mbad\u001b[0m\n',
  })
})

describe('builds logs', () => {
  test('prints the log of one job, without escapes in a pipe', async () => {
    const { code, stdout } = await logs('--job', 'make lint')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '$ make lint\nbad\n' })
  })

  test('a job is found by id, step key, name, or a part of the name in any case', async () => {
    for (const word of [jobId('make lint'), 'lint', 'make lint', 'LINT']) {
      expect((await logs('--job', word)).stdout).toBe('$ make lint\nbad\n')
    }
    const several = await logs('--job', 'make')
    expect(several.code).toBe(2)
    const lines = several.stderr.split('\n')
    expect(several.stderr).toMatch(/^Error: (\d) jobs have the name "make"$/mu)
    const listed = lines.filter((line) => line.startsWith('    make '))
    expect(listed.find((line) => line.startsWith('    make lint '))).toMatch(
      /^ {4}make lint {2,}failed$/u,
    )
    // The states are in one column.
    expect(new Set(listed.map((line) => line.lastIndexOf('  '))).size).toBe(1)
    expect((await logs('--job', 'make lint')).code).toBe(0)
    expect(listed.length).toBeGreaterThan(1)
    const nothing = await logs('--job', 'nothing')
    expect(nothing.code).toBe(2)
    expect(nothing.stderr).toContain('  Its jobs:\n    make lint\n')
    const slip = await logs('--job', 'make lnit')
    expect(slip.stderr).toContain('  Did you mean make lint?\n  Its jobs:\n')
    const machine = await logs('--job', 'make', '--json')
    expect(JSON.parse(machine.stderr).error.detail).toContain('make lint')
  })

  describe('with --grep', () => {
    const text = ['one', 'Bad news', 'three', 'four', 'five', 'bad end', 'seven']
    beforeEach(async () => {
      await shop.control.jobLogs.set({ job_id: jobId('make lint'), content: text.join('\n') })
    })

    test('prints the lines that contain the text, with the lines around them', async () => {
      const lint = ['--job', 'make lint', '--grep']
      expect((await logs(...lint, 'bad')).stdout).toBe('Bad news\nbad end\n')
      expect((await logs(...lint, 'Bad')).stdout).toBe('Bad news\n')
      expect((await logs(...lint, 'bad', '-C', '1')).stdout).toBe(
        'one\nBad news\nthree\n--\nfive\nbad end\nseven\n',
      )
      expect((await logs(...lint, 'bad', '-C', '2')).stdout).toBe(`${text.join('\n')}\n`)
    })

    test('searches all jobs in order, each line with the name of its job', async () => {
      const { id } = await shop.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
      build = await shop.control.builds.advance({ id, to: 'finished', outcome: 'passed' })
      const [lint, other] = build.jobs?.filter(({ type }) => type === 'script') ?? []
      await shop.control.jobLogs.set({ job_id: lint?.id ?? '', content: text.join('\n') })
      await shop.control.jobLogs.set({ job_id: other?.id ?? '', content: 'all is well\nnot bad' })
      expect(await logs('--grep', 'bad')).toMatchObject({
        code: 0,
        stdout: `${lint?.name}\tBad news\n${lint?.name}\tbad end\n${other?.name}\tnot bad\n`,
      })
    })

    test('prints an object for each line with -o jsonl', async () => {
      const { stdout } = await logs('--job', 'make lint', '--grep', 'END', '-o', 'jsonl')
      expect(stdout).toBe('')
      const found = await logs('--job', 'make lint', '--grep', 'end', '-o', 'jsonl')
      expect(JSON.parse(found.stdout)).toEqual({
        job_id: jobId('make lint'),
        name: 'make lint',
        text: 'bad end',
      })
    })

    test('exits with 1 if no line contains the text, and with 2 for flags that do not fit', async () => {
      expect(await logs('--grep', 'nowhere')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('No line contains "nowhere"'),
      })
      const wrong = [
        ['-C', '1'],
        ['--grep='],
        ...[['--json'], ['-f'], ['--raw']].map((flags) => ['--grep', 'x', ...flags]),
      ]
      for (const flags of wrong) expect((await logs(...flags)).code).toBe(2)
    })
  })

  test('begins each line with the name of its job if there are several', async () => {
    const { stdout } = await logs()
    expect(stdout).toContain('make lint\t$ make lint\nmake lint\tbad\n')
    expect((await logs('--no-prefix')).stdout).toContain('$ make lint\nbad\n')
    expect((await logs('--no-prefix')).stdout).not.toContain('make lint\t')
  })

  test('--failed selects failed jobs, --tail the last lines, --raw the bytes', async () => {
    expect((await logs('--failed')).stdout).toBe('$ make lint\nbad\n')
    expect((await logs('--failed', '--tail', '1')).stdout).toBe('bad\n')
    expect((await logs('--failed', '--raw')).stdout).toBe(
      '$ make lint\r\r\n\u001b[31mbad\u001b[0m\n',
    )
  })

  test('keeps colours on a terminal, unless they are off', async () => {
    const argv = ['builds', 'logs', String(build.number), '--failed']
    const colored = await shop.run(argv, { columns: 80 })
    expect(colored.stdout).toBe('$ make lint\n\u001b[31mbad\u001b[0m\u001b[0m\n')
    expect((await shop.run([...argv, '--no-color'], { columns: 80 })).stdout).toBe(
      '$ make lint\nbad\n',
    )
  })

  test('--json prints each log with its job', async () => {
    const { stdout } = await logs('--failed', '--json')
    expect(JSON.parse(stdout)).toEqual([
      {
        job_id: jobId('make lint'),
        name: 'make lint',
        state: 'failed',
        log_absent: null,
        text: '$ make lint\r\r\n\u001b[31mbad\u001b[0m\n',
      },
    ])
  })

  test('a job without a log is exit 5; a missing scope is named', async () => {
    expect((await logs('--job', 'Deploy?')).code).toBe(5)
    const token = await shop.control.accessTokens.create({
      user: 'robin@acme.example',
      scopes: ['read_builds'],
    })
    const env = { BUILDWIRE_TOKEN: String(token.access_token) }
    const { code, stderr } = await shop.run(['builds', 'logs', String(build.number), '--failed'], {
      env,
    })
    expect(code).toBe(9)
    expect(stderr).toContain('read_build_logs')
  })

  test('prints the reason for a log without text', async () => {
    const job_id = jobId('make lint')
    const raw_log_url = 'http://other.example/'
    const lint = { id: job_id, type: 'script', name: 'make lint', state: 'failed', raw_log_url }
    const logsOf = async (job: object, ...flags: string[]) => {
      const match = { operation: 'builds.get' }
      const jobs = [{ ...lint, ...job }]
      await shop.control.rules.create({
        match,
        times: 1,
        actions: [{ patchResponse: { json: { jobs } } }],
      })
      const { code, stdout, stderr } = await logs(...flags)
      return [code, stdout, stderr.replace('acme/web (BUILDWIRE_PIPELINE)\n', '')]
    }
    const never = 'make lint: the job has not started, so it has no log\n'
    expect(await logsOf({ state: 'waiting' })).toEqual([0, '', never])
    const canceled = 'make lint: the job was canceled before it started, so it wrote no log\n'
    expect(await logsOf({ state: 'canceled' })).toEqual([0, '', canceled])
    expect(JSON.parse(String((await logsOf({ state: 'canceled' }, '--json'))[1]))).toMatchObject([
      { text: '', log_absent: { reason: 'canceled_before_start' } },
    ])
    await shop.control.jobLogs.set({ job_id, content: '' })
    const started = { started_at: '2026-11-27T13:01:00.000Z' }
    expect(await logsOf(started)).toEqual([0, '', 'make lint: the job wrote nothing\n'])
    await shop.control.rules.create({
      match: { operation: 'jobs.logText' },
      actions: [{ respond: { status: 404, json: { message: 'No job found' } } }],
    })
    for (const flags of [[], ['--tail', '3'], ['--json']]) {
      const [code, stdout, stderr] = await logsOf(started, ...flags)
      expect([code, stdout]).toEqual([5, ''])
      expect(stderr).toContain(
        'make lint: the service has no log of this job any more, or does not offer logs',
      )
      expect(stderr).toContain(`ci builds open acme/web#${build.number} --job 'make lint'`)
    }
  })
})

describe('builds logs --follow', () => {
  beforeEach(async () => {
    build = await shop.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      commit: 'HEAD',
      branch: 'main',
    })
    await shop.control.builds.advance({ id: build.id, to: 'started' })
    await shop.control.jobLogs.set({ job_id: jobId('make lint'), content: 'one\ntw' })
  })

  const end = (exit_status: number) =>
    shop.control.jobs.transition({
      job_id: jobId('make lint'),
      state: exit_status === 0 ? 'passed' : 'failed',
      exit_status,
    })

  test('continues until the job is over, and exits by its state', async () => {
    const job_id = jobId('make lint')
    void later(6000, () => shop.control.jobLogs.create({ job_id, append: 'o\nthree' }))
    void later(20_000, () => end(1))
    const { code, stdout } = await logs('--job', 'make lint', '--follow')
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'one\ntwo\nthree\n' })
  })

  test('exits with 0 when the job passed; a log that got shorter starts again, with one note', async () => {
    const job_id = jobId('make lint')
    void later(6000, () => shop.control.jobLogs.set({ job_id, content: 'x\n' }))
    void later(20_000, () => end(0))
    const { code, stdout, stderr } = await logs('--job', 'make lint', '-f')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'one\nx\n' })
    expect(stderr.match(/starts again/gu)).toHaveLength(1)
  })

  test('exits with 6 when the job was canceled', async () => {
    void later(6000, () => shop.run(['builds', 'cancel', String(build.number)]))
    expect((await logs('--job', 'make lint', '-f')).code).toBe(6)
  })

  test('refuses --json', async () => {
    expect((await logs('--job', 'make lint', '-f', '--json')).code).toBe(2)
  })
})
