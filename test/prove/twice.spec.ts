// Fails on purpose: `clients.test.ts` runs this file and reads its output.
import { describeFaults } from '@buildwire/mock-server/vitest'

describeFaults('a client that creates again', async ({ baseUrl, accessTokens }) => {
  const headers = {
    authorization: `Bearer ${accessTokens['admin']}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ commit: 'HEAD', branch: 'main' })
  const url = `${baseUrl}/v2/organizations/acme/pipelines/web/builds`
  const create = () => fetch(url, { method: 'POST', headers, body })
  const { status } = await create().catch(create)
  if (status !== 201) throw new Error(`not created: ${status}`)
})
