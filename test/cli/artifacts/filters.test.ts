import { SCOPES } from '@buildwire/sdk/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acmeSeed } from '../../support/control-client.js'
import { openWorkshop, type Workshop } from '../support/workshop.js'

const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'

const [acme] = acmeSeed.organizations
const seed = {
  ...acmeSeed,
  organizations: [
    {
      ...acme,
      pipelines: [{ slug: 'web', steps: [{ command: 'make', key: 'make' }] }],
      suites: [
        {
          slug: 'web-unit',
          tests: [
            { scope: 'Cart', name: 'adds', labels: ['flaky', 'slow'] },
            { scope: 'Cart', name: 'removes', labels: ['flaky'] },
          ],
        },
      ],
    },
  ],
  accessTokens: [{ name: 'admin', user: 'robin@acme.example', scopes: [...SCOPES] }],
}

let shop: Workshop
beforeAll(async () => {
  shop = await openWorkshop({ seed })
  const build = await shop.control.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    commit: 'HEAD',
    branch: 'main',
  })
  const job_id = build.jobs?.[0]?.id ?? ''
  for (const [path, state] of [
    ['reports/deep/unit.xml', 'finished'],
    ['reports/old.xml', 'expired'],
    ['lint.txt', 'finished'],
  ] as const) {
    await shop.control.artifacts.create({ job_id, path, content: 'abc', state })
  }
})
afterAll(() => shop[Symbol.asyncDispose]())

/** The paths that the command lists, and the query that it sent last. */
async function listed(...flags: readonly string[]) {
  await shop.control.requests.delete()
  const { stdout, stderr } = await shop.run(
    ['artifacts', 'list', '1', '-p', 'acme/web', '--jq', '.[].path', ...flags],
    {},
  )
  expect(stderr).toBe('')
  const [request] = await shop.control.requests.find({ match: { operation: 'artifacts.list' } })
  const query = new URLSearchParams(request?.query)
  query.delete('per_page')
  const sent = [...query].map((pair) => pair.join('='))
  return { paths: stdout.trim().split('\n'), query: sent }
}

describe('ci artifacts list', () => {
  it('--path and --state filter at the server', async () => {
    expect(await listed('--path', 'reports/*.xml')).toEqual({
      paths: ['reports/deep/unit.xml', 'reports/old.xml'],
      query: ['path=reports/*.xml'],
    })
    expect(await listed('--path', 'lint.txt', '--path', '*.xml', '--state', 'finished')).toEqual({
      paths: ['lint.txt', 'reports/deep/unit.xml'],
      query: ['path[]=lint.txt', 'path[]=*.xml', 'state[]=finished'],
    })
  })

  it('--path and --state hold if a service ignores them', async () => {
    const json = [
      { id: job_id, job_id, path: 'a.xml', state: 'finished' },
      { id: job_id, job_id, path: 'b.xml', state: 'expired' },
      { id: job_id, job_id, path: 'c.txt', state: 'finished' },
    ]
    await shop.control.rules.create({
      match: { operation: 'artifacts.list' },
      times: 1,
      actions: [{ respond: { status: 200, json } }],
    })
    expect((await listed('--path', '*.xml', '--state', 'finished')).paths).toEqual(['a.xml'])
  })

  it('a state that does not exist is refused with the states that do', async () => {
    const words = ['artifacts', 'list', '1', '-p', 'acme/web', '--state']
    const near = await shop.run([...words, 'finishd'], {})
    expect({ code: near.code, stderr: near.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('finished'),
    })
    const far = await shop.run([...words, 'on-the-moon'], {})
    expect(far.stderr).toContain('Valid states are new, error, finished, deleted, expired')
  })
})

it('ci tests list --labels finds the tests with all labels, and without those after a !', async () => {
  const names = async (labels: string) => {
    const line = ['tests', 'list', '--org', 'acme', '--suite', 'web-unit', '--labels', labels]
    return (await shop.run([...line, '--jq', '.[].name'], {})).stdout.trim().split('\n')
  }
  expect(await names('flaky')).toEqual(['adds', 'removes'])
  expect(await names('flaky,slow')).toEqual(['adds'])
  expect(await names('flaky,!slow')).toEqual(['removes'])
})
