import { describe, expect, it } from 'vitest'
import { statusRecord } from '../../cli/src/status/status-record.js'
import { statusTable } from '../../cli/src/status/status-table.js'
import { ago, build, job, view } from './support/build.js'
import { SERVER_NOW } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
const clock = { now: () => SERVER_NOW, monotonic: () => 0, sleep: async () => undefined }

describe('ci status', () => {
  it('lists my builds and the default branches, what failed first, in six requests at most', async () => {
    await started.server.control.requests.delete()
    const { code, stdout } = await started.run('status')
    expect(code).toBe(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.map(([group]) => group).filter((group, at, all) => group !== all[at - 1])).toEqual(
      ['yours', 'default_branch'],
    )
    const rank = ['failed', 'running', 'blocked', 'passed']
    for (const group of ['yours', 'default_branch']) {
      const states = lines.filter((line) => line[0] === group).map((line) => line[1] ?? '')
      const ranks = states
        .filter((state) => rank.includes(state))
        .map((state) => rank.indexOf(state))
      expect(ranks).toEqual(ranks.toSorted())
    }
    const asked = (await started.server.control.requests.list()).map(({ operation }) => operation)
    expect(asked).toEqual([
      'user.get',
      'pipelines.list',
      'builds.listForOrganization',
      'builds.listForOrganization',
    ])
    await started.server.control.requests.delete()
    expect((await started.run('status', { env: { BUILDWIRE_ORG: '' } })).code).toBe(0)
    expect((await started.server.control.requests.list()).length).toBeLessThanOrEqual(6)
  })

  it('says the command that lets a build go on, and it does', async () => {
    const blocked = (await started.run('status')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .find(([group, state]) => group === 'yours' && state === 'blocked')
    const command = blocked?.at(-1) ?? ''
    expect(command).toMatch(/^ci jobs unblock acme\/web#\d+/u)
    expect((await started.run(command.replace(/^ci /u, ''))).code).toBe(0)
    const after = await started.run(`builds get ${blocked?.[2]} --json=blocked`)
    expect(JSON.parse(after.stdout)).toEqual({ blocked: false })
  })

  it('is JSON with the same facts', async () => {
    const records = JSON.parse((await started.run('status --json')).stdout)
    expect(Object.keys(records[0])).toEqual([
      'group',
      'state',
      'build',
      'branch',
      'created_at',
      'message',
      'detail',
      'command',
      'web_url',
    ])
    const states = JSON.parse((await started.run('status --json=state,build')).stdout)
    expect(Object.keys(states[0])).toEqual(['state', 'build'])
    expect((await started.run('status --json=sttae')).stderr).toContain('Did you mean state?')
    const ids = (await started.run('status -o id')).stdout.trimEnd().split('\n')
    expect(ids).toEqual(records.map(({ build }: { build: string }) => build))
  })

  it('leaves out my builds, with a note, if the token may not say whose it is', async () => {
    const env = { BUILDWIRE_TOKEN: started.tokens.reader }
    const { code, stdout, stderr } = await started.run('status', { env })
    expect(code).toBe(0)
    expect(stderr).toContain('Your builds are left out')
    expect(stdout).toMatch(/^default_branch\t/u)
    expect(stdout).not.toContain('yours\t')
  })

  it('with --watch prints what changed, until the user ends it', async () => {
    let looks = 0
    const ended = new Error('ended')
    const sleep = async () => {
      looks += 1
      if (looks === 2) throw ended
      const made = 'builds create -p docs -b main -c HEAD -m Changed'
      expect((await started.run(made)).code).toBe(0)
    }
    const { stdout } = await started.run('status --watch -o jsonl', { clock: { ...clock, sleep } })
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.filter(({ message }) => message === 'Changed')).toHaveLength(1)
    expect(records.at(-1)).toMatchObject({ build: expect.stringMatching(/^acme\/docs#/u) })
    expect(await started.run('status --watch --json')).toMatchObject({ code: 2 })
  })
})

describe('a line of ci status', () => {
  it('names the job that failed first, and counts the others', () => {
    const jobs = [
      job({ name: 'late', state: 'failed', exit_status: 2, finished_at: ago(10) }),
      job({ name: 'soft', state: 'failed', soft_failed: true, finished_at: ago(90) }),
      job({ name: 'early', state: 'failed', exit_status: 1, finished_at: ago(60) }),
    ]
    expect(statusRecord('yours', build({ number: 7, state: 'failed', jobs }))).toMatchObject({
      build: 'acme/web#7',
      detail: 'early failed: exit 1; 1 more job failed',
      command: null,
    })
  })

  it('says in words that a job did not run, if no job failed', () => {
    const jobs = [job({ name: 'lint', state: 'broken' })]
    const { detail } = statusRecord('yours', build({ number: 7, state: 'failed', jobs }))
    expect(detail).toBe('lint did not run')
  })

  it('names one of several steps that wait', () => {
    const waits = { type: 'manual', state: 'blocked', unblockable: true } as const
    const jobs = [job({ ...waits, id: 'a' }), job({ ...waits, id: 'b' })]
    expect(statusRecord('yours', build({ number: 7, blocked: true, jobs }))).toMatchObject({
      state: 'blocked',
      command: ['jobs', 'unblock', 'acme/web#7', '--job', 'a'],
    })
  })

  it('is a line for each fact for screen readers', () => {
    const jobs = [job({ name: 'lint', state: 'failed', exit_status: 1, finished_at: ago(60) })]
    const record = statusRecord('yours', build({ number: 7, state: 'failed', jobs }))
    const seen = view(60)
    const looks = { ...seen.looks, plain: true }
    expect(statusTable([record], { ...seen, looks }).map(String)).toEqual([
      'group: Your builds',
      'state: failed',
      'build: acme/web#7',
      'branch: main',
      'message: wip',
      'detail: lint failed: exit 1',
    ])
  })

  it('fits the terminal, and the command below it is whole', () => {
    const jobs = [job({ type: 'manual', state: 'blocked', unblockable: true })]
    const message = 'A message that is much longer than the line that it stands in '.repeat(3)
    const record = statusRecord('yours', build({ number: 7, blocked: true, message, jobs }))
    const lines = statusTable([record], view(60)).map(String)
    expect(lines[0]).toContain('Your builds')
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(60)
    expect(lines.at(-1)).toBe('    ci jobs unblock acme/web#7')
  })
})
