import type { Settings } from '@buildwire/mock-server'
import { describe, expect, it } from 'vitest'
import { acmeServer, adminToken, apiOver } from '../support/control-client.js'

const ofPipeline = '/v2/organizations/acme/pipelines/web/builds'
const lists = ['/v2/builds', '/v2/organizations/acme/builds', ofPipeline]

/** A build as it is made, got and listed, with a job of each kind that differs. */
async function shown(dialect?: Settings['dialect']) {
  const server = acmeServer(dialect && { dialect })
  const token = await adminToken(server)
  const api = apiOver(server, token)
  const body = { commit: 'HEAD', branch: 'main', meta_data: { canary: true, tries: '3' } }
  const made = await api('POST', ofPipeline, body)
  const got = await api('GET', `${ofPipeline}/1`)
  const listed = await Promise.all(lists.map((path) => api('GET', `${path}?exclude_pipeline=true`)))
  return {
    server,
    token,
    api,
    builds: [made.body, got.body, ...listed.map((answer) => answer.body[0])],
    listed,
  }
}

const jobOf = (build: { jobs: { type: string }[] }, kind: string) =>
  build.jobs.find(({ type }) => type === kind)

describe('dialect', () => {
  it('recorded: meta-data is text, no pull request is null, job URLs lead to the API, waiters are short', async () => {
    const { server, api, builds, listed } = await shown('recorded')
    await using _ = server
    for (const build of builds) {
      expect(build).toMatchObject({ meta_data: { canary: 'true', tries: '3' }, pull_request: null })
      expect(jobOf(build, 'script')).toMatchObject({
        build_url: `${server.baseUrl}${ofPipeline}/1`,
        name: 'make lint',
      })
      expect(Object.keys(jobOf(build, 'waiter') ?? {})).toEqual(['id', 'graphql_id', 'type'])
    }
    for (const { body } of listed) expect(body[0]).not.toHaveProperty('pipeline')
    expect((await api('GET', '/v2/builds')).body[0].pipeline.slug).toBe('web')
    expect((await api('GET', '/v2/builds?exclude_pipeline=perhaps')).status).toBe(400)
  })

  it('is the documented one by default', async () => {
    const { server, builds, listed } = await shown()
    await using _ = server
    for (const build of builds) {
      expect(build).toMatchObject({ meta_data: { canary: true, tries: '3' }, pull_request: {} })
      expect(jobOf(build, 'script')).toMatchObject({
        build_url: `${server.webUrl}/acme/web/builds/1`,
      })
      expect(jobOf(build, 'waiter')).toMatchObject({ state: 'waiting', finished_at: null })
    }
    expect(listed.map(({ body }) => 'pipeline' in body[0])).toEqual([true, true, false])
  })

  it('can be set by a sandbox, a seed and apply, and kept texts are printed again', async () => {
    const { server, api } = await shown()
    await using _ = server
    await server.control.apply({ settings: { dialect: 'recorded' } })
    expect((await api('GET', `${ofPipeline}/1`)).body.pull_request).toBeNull()
    await server.control.apply({ settings: { dialect: null } })
    expect((await api('GET', `${ofPipeline}/1`)).body.pull_request).toEqual({})
  })
})

describe('a log for a browser', () => {
  it.each(['documented', 'recorded'] as const)(
    'is HTML by name and by Accept, and inert (%s)',
    async (dialect) => {
      const { server, token, builds } = await shown(dialect)
      await using _ = server
      const job = jobOf(builds[0], 'script') as unknown as { id: string }
      await server.control.jobLogs.set({
        job_id: job.id,
        content: '\u001b[31m<script>alert(1)</script> & more\u001b[0m\n',
      })
      const ask = (name: string, accept = '*/*') =>
        server.fetch(
          new Request(`${server.baseUrl}${ofPipeline}/1/jobs/${job.id}/${name}`, {
            headers: { authorization: `Bearer ${token}`, accept },
          }),
        )
      for (const answer of [
        await ask('log', 'text/html,application/xhtml+xml'),
        await ask('log.html'),
      ]) {
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(await answer.text()).toBe(
          '<pre>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more\n</pre>\n',
        )
      }
      for (const answer of [await ask('log'), await ask('log', 'application/json, text/html')]) {
        expect(await answer.json()).toMatchObject({ content: expect.stringContaining('<script>') })
      }
      expect((await ask('log', 'text/plain')).headers.get('content-type')).toBe(
        'text/plain; charset=utf-8',
      )
    },
  )
})
