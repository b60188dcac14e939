import { type MockServer, VirtualClock } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ago } from '../../mock-server/src/pages/moments.js'
import { jobName } from '../../mock-server/src/pages/names.js'
import { timelineOf } from '../../mock-server/src/pages/timeline.js'
import { acmeSeed, acmeServer, adminToken, apiOver } from '../support/control-client.js'

const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)).toISOString()
const job = (
  name: string,
  ready: number | null,
  began: number | null,
  ended: number | null,
  more: object = {},
) => ({
  type: 'script',
  name,
  state: 'passed',
  stepId: name,
  created_at: at(0),
  scheduled_at: at(0),
  runnable_at: ready === null ? null : at(ready),
  started_at: began === null ? null : at(began),
  finished_at: ended === null ? null : at(ended),
  parallel_group_index: null,
  parallel_group_total: null,
  matrix: null,
  ...more,
})
const drawn = (jobs: readonly object[], finished: number | null, now = 100) => {
  const build = { jobs, finished_at: finished === null ? null : at(finished) } as never
  const timeline = timelineOf(build, Date.parse(at(now)))
  return timeline?.rows.map(({ name, bars }) =>
    [
      name,
      ...bars.map(
        ({ kind, from, to, critical }) =>
          `${kind} ${from / 1000}-${to / 1000}${critical ? '!' : ''}`,
      ),
    ].join(' '),
  )
}

describe('the timeline of a build', () => {
  it('shows when each job waited and ran, and which made the build so long', () => {
    const jobs = [
      job('lint', 0, 2, 20),
      job('build', 0, 1, 40),
      job('test', 40, 45, 90),
      job('docs', 40, 41, 50),
    ]
    expect(drawn(jobs, 90)).toEqual([
      'lint wait 0-2 run 2-20',
      'build wait 0-1! run 1-40!',
      'test wait 40-45! run 45-90!',
      'docs wait 40-41 run 41-50',
    ])
  })

  it('keeps a retry in the row of its job, and a wide parallel step in one row', () => {
    const retried = [job('unit', 0, 0, 10, { retried: true }), job('unit', 10, 12, 30)]
    const wide = Array.from({ length: 9 }, (_, n) =>
      job('shard', 0, n, 20, { parallel_group_index: n, parallel_group_total: 9 }),
    )
    const rows = drawn([...retried, ...wide], 30) ?? []
    expect(rows).toHaveLength(2)
    expect(rows[0]).toBe('unit run 0-10! wait 10-12! run 12-30!')
    expect(rows[1]).toMatch(/^shard × 9 run 0-20 /u)
  })

  it('ends with the build, or now; a job that waits for others is not drawn', () => {
    const block = job('Deploy?', 10, null, null, { type: 'manual', state: 'blocked' })
    const jobs = [job('build', 0, 0, 10), block, job('deploy', null, null, null)]
    expect(drawn(jobs, null)).toEqual(['build run 0-10!', 'Deploy? block 10-100!'])
    expect(drawn([job('build', 0, 5, null), job('deploy', null, null, null)], 40)).toEqual([
      'build wait 0-5! run 5-40!',
    ])
    expect(drawn([job('deploy', null, null, null)], 40)).toBeUndefined()
  })
})

describe('texts of pages', () => {
  it.each([
    [':rocket: Deploy', '🚀 Deploy'],
    [':vitest: Unit tests', 'Unit tests'],
    ['Unit :eslint: :constructor: here', 'Unit eslint constructor here'],
    ['at 10:30:15, lib::row::b', 'at 10:30:15, lib::row::b'],
  ])('draw the emoji of a name and leave out the names of images: %s', (name, shown) => {
    expect(jobName(job(name, 0, 0, 1) as never)).toBe(shown)
  })

  it('say an age in hours or days from two of them on', () => {
    const now = Date.parse(at(0))
    const ages = [0, 59, 60, 119 * 60, 2 * 3600, 47 * 3600, 2 * 86_400]
    expect(ages.map((seconds) => ago(now - seconds * 1000, now))).toEqual([
      'just now',
      '59 seconds ago',
      '1 minute ago',
      '119 minutes ago',
      '2 hours ago',
      '47 hours ago',
      '2 days ago',
    ])
  })
})

describe('the pages of a build', () => {
  let server: MockServer
  const log = [
    '--- :docker: setup :vitest: runner',
    'quiet',
    '\u001b]0;title\u0007+++ \u001b[31mtests\u001b[0m',
    '10%\r99%\rdone <script>alert(1)</script>',
    '^^^ +++',
    '--- end',
    'last\u0001',
  ].join('\n')
  const page = async (path: string) =>
    (
      await server.fetch(new Request(server.webUrl + path, { headers: { accept: 'text/html' } }))
    ).text()
  let jobPath = ''
  let waiterPath = ''

  beforeAll(async () => {
    const [acme] = acmeSeed.organizations
    const pipelines = [
      {
        slug: 'web',
        steps: [
          { command: 'make' },
          { wait: true as const },
          { command: 'ship', parallelism: 200 },
        ],
      },
    ]
    server = acmeServer({
      seed: { ...acmeSeed, organizations: [{ ...acme, pipelines }] },
      clock: new VirtualClock(),
    })
    const { jobs = [] } = await server.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      branch: 'rel/1',
      state: 'running',
    })
    await server.control.jobLogs.set({ job_id: jobs[0]?.id ?? '', content: log })
    jobPath = `/acme/web/builds/1/jobs/${jobs[0]?.id}`
    waiterPath = `/acme/web/builds/1/jobs/${jobs.find(({ type }) => type === 'waiter')?.id}`
  })
  afterAll(() => server.close())

  it('show a log with its colours, its groups and an address for each line; nothing of it is markup', async () => {
    const html = await page(jobPath)
    expect(html).toContain('<span class="ansi-red-fg">tests</span>')
    expect(html).toContain('done &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/title\u0007|10%|99%|[\u0001\u001b]/u)
    expect(html.match(/<details( open="")?>/gu)).toEqual([
      '<details>',
      '<details open="">',
      '<details open="">',
    ])
    expect(html).toContain('>setup vitest runner</summary>')
    expect(html).toContain('id="L7"')
    expect(html).toContain('<meta http-equiv="refresh" content="5"/>')
  })

  it('show facts where there are any', async () => {
    const job = await page(jobPath)
    const waiter = await page(waiterPath)
    expect(job).toContain('aria-label="Facts"')
    expect(waiter).not.toContain('No job here')
    expect(waiter).not.toContain('aria-label="Facts"')
  })

  it('are found by branch and state, with the API’s own patterns', async () => {
    expect(await page('/acme/web?branch=rel%2F*&state=running')).toContain('/acme/web/builds/1')
    expect(await page('/acme/web?branch=main')).toContain('No build fits.')
    expect(await page('/acme/web?branch=%22%3E%3Cb%3E&state=nope&page=-1')).toContain(
      'value="&quot;&gt;&lt;b&gt;"',
    )
    expect(await page(`${jobPath}0`)).toContain('No job here')
  })

  it('show annotations without what could run or load', async () => {
    const body =
      '# Big\n<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a> <b onclick=a()>bold</b> <style>*{}</style>'
    const path = '/v2/organizations/acme/pipelines/web/builds/1/annotations'
    const { status } = await apiOver(server, await adminToken(server))('POST', path, {
      body,
      style: 'error',
    })
    expect(status).toBe(201)
    const html = await page('/acme/web/builds/1')
    expect(html).toContain('<strong>Big</strong>')
    expect(html).toContain('<b>bold</b>')
    expect(html).not.toMatch(/onerror|javascript:|onclick|<img src=x|<style>/u)
    expect(html.match(/<rect /gu)?.length).toBeGreaterThan(0)
  })
})
