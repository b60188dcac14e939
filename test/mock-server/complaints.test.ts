import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMockServer, lowdbDirectory } from '@buildwire/mock-server'
import { describe, expect, it } from 'vitest'
import { acmeSeed, adminToken, apiOver } from '../support/control-client.js'
import { scratch } from '../support/scratch.js'
import { expectRefusal, expectTokens, startServer } from './oauth/harness.js'

/** What users of other test servers had to report; the names in brackets lead to their words. */
describe('public complaints', () => {
  it.each(['https://auth.example/base/', 'https://auth.example/base'])(
    'one token URL in all places, and aud must be exactly it: authUrl %s (oauth2-mock-server#353, mock-oauth2-server#767)',
    async (authUrl) => {
      await using it = await startServer({ authUrl, webUrl: `${authUrl.replace(/\/$/, '')}/web/` })
      const tokenUrl = 'https://auth.example/base/oauth/token'
      expect(it.tokenUrl).toBe(tokenUrl)
      const document = await it.call('/openapi.json')
      for (const path of ['/oauth/token', '/oauth/device_authorization']) {
        expect(document.body).toMatchObject({
          paths: { [path]: { servers: [{ url: 'https://auth.example/base' }] } },
        })
      }
      expect(document.body['servers']).toEqual([{ url: it.server.baseUrl }])
      const device = await it.device({ client_id: 'public', scope: 'read_builds' })
      expect(device.body['verification_uri']).toBe('https://auth.example/base/web/oauth/device')
      for (const aud of [
        `${tokenUrl}/`,
        'https://auth.example/base//oauth/token',
        `${it.server.baseUrl}/oauth/token`,
      ]) {
        expectRefusal(
          await it.exchange(it.assertion({ aud })),
          'invalid_client',
          'JWT aud claim is invalid',
        )
      }
      expectTokens(await it.exchange())
    },
  )

  it('a file edited from outside is never merged (lowdb#549)', async () => {
    await using directory = await scratch()
    const data = join(directory.path, 'data')
    const start = () => createMockServer({ seed: acmeSeed, persistence: lowdbDirectory(data) })
    const first = start()
    const token = await adminToken(first)
    const users = async (server: typeof first) =>
      (await server.control.records.list({ collection: 'users' })).map(({ email }) => email)
    const before = await users(first)
    await appendFile(join(data, 'state.jsonl'), '{"not":"a batch"}\n')
    expect(await users(first)).toEqual(before)
    const build = { commit: 'abc', branch: 'main' }
    expect(
      (await apiOver(first, token)('POST', '/v2/organizations/acme/pipelines/web/builds', build))
        .status,
    ).toBe(201)
    await first.close()
    // The owner writes on where its own last line ended, over what a hand has added there.
    await using second = start()
    expect(await users(second)).toEqual(before)
    expect(await second.control.records.list({ collection: 'builds' })).toMatchObject([
      { commit: 'abc' },
    ])
  })
})
