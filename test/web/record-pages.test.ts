import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  expectFits,
  noBrowser,
  openBrowser,
  seriousFaults,
  watch,
} from './browser.js'

let server: MockServer
let headers: Record<string, string>

beforeAll(async () => {
  server = createMockServer({ seed: 'demo' })
  await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  headers = { authorization: `Bearer ${accessTokens['admin']}` }
})
afterAll(() => server.close())

/** Every URL of the web application in a response, in any field. */
function webUrls(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(webUrls)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && ['web_url', 'badge_url', 'avatar_url'].includes(key)
      ? [member]
      : webUrls(member),
  )
}
const read = async (path: string): Promise<unknown> =>
  (await fetch(`${server.baseUrl}/v2${path}`, { headers })).json()

describe('every web URL of the API resolves', () => {
  it.each(
    '/organizations /organizations/acme/pipelines /organizations/acme/builds?per_page=40 /organizations/acme/pipelines/web/builds/@newest /analytics/organizations/acme/suites/@suite/tests?per_page=5 /user'.split(
      ' ',
    ),
  )('%s', async (path) => {
    const [newest] = (await read('/organizations/acme/pipelines/web/builds?per_page=1')) as [
      { number: number },
    ]
    const [suite] = await server.control.records.list({ collection: 'suites' })
    const answer = await read(
      path.replace('@newest', String(newest.number)).replace('@suite', String(suite?.['slug'])),
    )
    const urls = [...new Set(webUrls(answer))]
    expect(urls.length).toBeGreaterThan(0)
    const broken = []
    for (const url of urls.slice(0, 60)) {
      const { status } = await fetch(url)
      if (status !== 200) broken.push(`${url}: ${status}`)
    }
    expect(broken).toEqual([])
  })

  it('an unknown name is a 404 page with a link', async () => {
    for (const path of '/nobody /acme/nothing /acme/web/builds/1 /acme/web/builds/x /organizations/acme/agents/x /%F0%9F%8E%89'.split(
      ' ',
    )) {
      const answer = await fetch(server.webUrl + path, { headers: { accept: 'text/html' } })
      expect({ path, status: answer.status }).toEqual({ path, status: 404 })
      expect(await answer.text()).toContain('All organizations')
    }
  })
})

describe.skipIf(noBrowser !== null)('record pages, in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('fit 360 px and have no serious accessibility violation', { timeout: 120_000 }, async () => {
    const [build] = (await read(
      '/organizations/acme/pipelines/web/builds?state=failed&per_page=1',
    )) as [{ web_url: string; jobs: readonly { id: string; state: string }[] }]
    const failed = build.jobs.find(({ state }) => state === 'failed')
    const page = await browser.context.newPage()
    const seen = watch(page, server.webUrl)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [address, width] of [
        [`${server.webUrl}/acme/web?state=failed`, 360],
        [build.web_url, 360],
        [build.web_url, 1280],
        [`${build.web_url}/jobs/${failed?.id}#L95`, 360],
        [`${build.web_url}/jobs/${failed?.id}`, 1280],
        [`${server.webUrl}/acme`, 360],
      ] as const) {
        await page.setViewportSize({ width, height: 740 })
        await expectFits(page, address, colorScheme)
      }
    }
    expect(seen).toEqual({ foreignRequests: [], consoleErrors: [] })
    await page.close()
  })

  it('the accessibility check finds a violation', async () => {
    const page = await browser.context.newPage()
    await page.setContent('<html><body><img src="x.png"><input type="text"></body></html>')
    expect((await seriousFaults(page)).join()).toContain('image-alt')
    await page.close()
  })
})
