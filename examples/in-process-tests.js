/**
 * A test suite in process: a sandbox per test, without a port and without waiting. Run it with
 * `node --test`, or with `node` alone.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { CiClient, isCiError } from '@buildwire/sdk'

/** The code under test: cancels the running builds of a branch, and returns their number. */
async function cancelRunning(ci, branch) {
  const running = await ci.builds.list({ branch: [branch], state: ['running', 'scheduled'] })
  for (const build of running.items) {
    const { pipeline, number } = build
    await ci.builds.cancel({ org_slug: 'acme', pipeline_slug: pipeline.slug, number })
  }
  return running.items.length
}

describe('cancelRunning', () => {
  const server = createMockServer()
  before(() => server.ready())
  after(() => server.close())

  /** Creates a sandbox with one pipeline. No other test uses it. */
  const setUp = async () => {
    const sandbox = await server.sandbox({
      clock: new VirtualClock({ now: '2026-03-02T09:00:00Z' }),
      seed: {
        users: [{ email: 'robin@acme.example' }],
        organizations: [
          {
            slug: 'acme',
            members: [{ user: 'robin@acme.example' }],
            pipelines: [{ slug: 'web', steps: [{ command: 'make test', key: 'test' }] }],
          },
        ],
        accessTokens: [
          { name: 'bot', user: 'robin@acme.example', scopes: ['read_builds', 'write_builds'] },
        ],
      },
    })
    const ci = new CiClient({
      baseUrl: sandbox.baseUrl,
      auth: sandbox.accessTokens.bot,
      dispatcher: server.dispatcher(),
      clock: sandbox.clock,
    })
    const build = (more) =>
      sandbox.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web', ...more })
    return { ci, build, control: sandbox.control }
  }

  it('cancels the running builds of the branch only', async () => {
    const { ci, build, control } = await setUp()
    await build({ branch: 'main', state: 'running' })
    await build({ branch: 'dev', state: 'running' })
    await build({ branch: 'dev', state: 'passed' })
    assert.equal(await cancelRunning(ci, 'dev'), 1)
    const states = (await control.records.list({ collection: 'builds' })).map(
      ({ branch, state }) => `${branch} ${state}`,
    )
    assert.deepEqual(states.sort(), ['dev canceled', 'dev passed', 'main running'])
  })

  it('throws the server’s error if the build ends first', async () => {
    const { ci, build, control } = await setUp()
    await build({ branch: 'dev', state: 'running' })
    await control.rules.create({
      match: { operation: 'builds.cancel' },
      times: 1,
      actions: [
        {
          respond: {
            status: 422,
            json: { message: "Build can't be canceled because it is passed" },
          },
        },
      ],
    })
    await assert.rejects(
      cancelRunning(ci, 'dev'),
      (error) => isCiError(error) && /because it is passed/.test(error.message),
    )
    await control.requests.verify({ match: { operation: 'builds.cancel' }, count: 1 })
  })
})
