import { createMockServer, type MockServer, type SeedDocument, VirtualClock } from '@buildwire/mock-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Browser, noBrowser, openBrowser, seriousFaults, type Watch, watch } from './browser.js'

const client_id = 'test-device'
const robin = 'robin@acme.example'

const seed: SeedDocument = {
  version: 1,
  users: [
    { email: robin, name: 'Robin Ray' },
    { email: 'sam@acme.example', name: 'Sam Sol' },
  ],
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Rockets',
      members: [
        { user: robin, role: 'admin' },
        { user: 'sam@acme.example', role: 'member' },
      ],
    },
    { slug: 'orbit', name: 'Orbit', members: [{ user: robin, role: 'member' }] },
  ],
  applications: [
    { kind: 'device', client_id, name: 'Terminal of the tests', description: 'Reads builds.', refreshTokens: true },
  ],
}

if (noBrowser !== null) console.log(`test/web: ${noBrowser}`)

describe.skipIf(noBrowser !== null)('the device page, in Chromium', () => {
  let browser: Browser
  let server: MockServer
  let clock: VirtualClock
  let page: Page
  let seen: Watch

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    clock = new VirtualClock({ now: Date.parse('2026-03-02T09:00:00Z') })
    server = createMockServer({ seed, clock })
    await server.listen({ port: 0 })
    await browser.context.clearCookies()
    page = await browser.context.newPage()
    seen = watch(page, server.webUrl)
    return async () => {
      expect(seen).toEqual({ foreignRequests: [], consoleErrors: [] })
      await page.close()
      await server.close()
    }
  })

  interface Codes {
    device_code: string
    user_code: string
    verification_uri: string
    verification_uri_complete: string
  }
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${server.authUrl}${path}`, { method: 'POST', body: new URLSearchParams(form) })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const ask = async () =>
    (await post('/oauth/device_authorization', { client_id, scope: 'read_builds write_builds read_user' }))
      .body as unknown as Codes
  const poll = async ({ device_code }: Codes) => {
    await clock.advance(6000)
    return post('/oauth/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id, device_code })
  }
  const open = async (url: string, name = 'Robin Ray') => {
    await page.goto(url)
    await page.getByLabel(name).check()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  it('approves a code that was typed, in any spelling', async () => {
    const codes = await ask()
    await open(codes.verification_uri)
    await page.getByLabel('Code').fill(codes.user_code.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Connect Terminal of the tests?')
    expect(await page.locator('main').innerText()).toContain('Start, cancel, rebuild and retry builds')
    expect(await page.locator('.user-code').innerText()).toBe(codes.user_code)
    expect((await poll(codes)).body['error']).toBe('authorization_pending')
    await page.getByLabel('In the organization').selectOption('orbit')
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('is connected')
    const token = await poll(codes)
    expect(token).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'read_builds write_builds read_user' },
    })
    expect(await page.content()).not.toContain(codes.device_code)
  })

  it('denies', async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Denied')
    expect((await poll(codes)).body['error']).toBe('access_denied')
  })

  it('takes a double click for one approval', async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.getByRole('button', { name: 'Approve' }).dblclick()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toMatch(/is connected|Nothing changed/)
    expect((await poll(codes)).status).toBe(200)
    expect((await poll(codes)).body['error']).toBe('invalid_grant')
  })

  it('lists what was approved, and revoking kills its tokens', async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('is connected')
    const { body } = await poll(codes)
    await page.goto(`${server.webUrl}/oauth/authorized_applications`)
    const text = () => page.locator('main').innerText()
    expect(await text()).toContain('Terminal of the tests')
    expect(await text()).toMatch(/Last used\s+never/)
    expect(await text()).toMatch(/Expiry\s+No expiry/)
    expect(await text()).toContain('Device, from 127.0.0.1')
    const use = () =>
      fetch(`${server.baseUrl}/v2/user`, { headers: { Authorization: `Bearer ${body['access_token']}` } })
    expect((await use()).status).toBe(200)
    await page.reload()
    expect(await text()).toMatch(/Last used\s+just now/)
    await page.getByRole('button', { name: 'Revoke Terminal of the tests' }).click()
    await expect.poll(text).toContain('Nothing acts for you')
    expect((await use()).status).toBe(401)
    const refreshed = await post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: String(body['refresh_token']),
    })
    expect(refreshed.body['error']).toBe('invalid_grant')
  })

  it('can be used with the keyboard alone', async () => {
    const codes = await ask()
    await page.goto(codes.verification_uri_complete)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to the content')
    await page.getByLabel('Robin Ray').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('is connected')
  })

  it('fits 360 px, in light and dark, without a serious accessibility fault', { timeout: 120_000 }, async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.setViewportSize({ width: 360, height: 740 })
    const addresses = [
      codes.verification_uri_complete,
      `${server.webUrl}/oauth/device`,
      `${server.webUrl}/oauth/device?user_code=BBBB-BBBB`,
      `${server.webUrl}/oauth/login`,
      `${server.webUrl}/oauth/authorized_applications`,
      `${server.webUrl}/`,
      `${server.webUrl}/acme`,
      `${server.webUrl}/docs`,
      `${server.webUrl}/docs/authentication`,
      `${server.webUrl}/nobody`,
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const address of addresses) {
        await page.goto(address)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${address} is wider than the screen`).toBeLessThanOrEqual(0)
        expect(await seriousFaults(page), `${address} in ${colorScheme}`).toEqual([])
      }
    }
  })
})
