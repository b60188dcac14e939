import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OAuthServer, seed, startServer } from '../mock-server/oauth/harness.js'
import { type Browser, expectFits, noBrowser, openBrowser, type Watch, watch } from './browser.js'

const client_id = 'test-device'
const application = {
  kind: 'device',
  client_id,
  name: 'Terminal of the tests',
  description: 'Reads builds.',
} as const

if (noBrowser !== null) console.log(`test/web: ${noBrowser}`)

describe.skipIf(noBrowser !== null)('the device page, in Chromium', () => {
  let browser: Browser
  let s: OAuthServer
  let page: Page
  let seen: Watch

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    s = await startServer({ seed: { ...seed(), applications: [application] } })
    await s.server.listen({ port: 0 })
    await browser.context.clearCookies()
    page = await browser.context.newPage()
    seen = watch(page, s.server.webUrl)
    return async () => {
      expect(seen).toEqual({ foreignRequests: [], consoleErrors: [] })
      await page.close()
      await s.server.close()
    }
  })

  interface Codes {
    device_code: string
    user_code: string
    verification_uri: string
    verification_uri_complete: string
  }
  const ask = async () =>
    (await s.device({ client_id, scope: 'read_builds write_builds read_user' }))
      .body as unknown as Codes
  const poll = async ({ device_code }: Codes) => {
    await s.clock.advance(6000)
    return s.poll(device_code, client_id)
  }
  const open = async (url: string) => {
    await page.goto(url)
    await page.getByLabel('robin').check()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const heading = () => page.getByRole('heading', { level: 1 }).innerText()

  it('approves a typed code in any spelling, and revokes the approval', async () => {
    const codes = await ask()
    await open(codes.verification_uri)
    await page.getByLabel('Code').fill(codes.user_code.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(heading).toBe('Connect Terminal of the tests?')
    expect(await page.locator('main').innerText()).toContain(
      'Start, cancel, rebuild and retry builds',
    )
    expect(await page.locator('.user-code').innerText()).toBe(codes.user_code)
    expect((await poll(codes)).body['error']).toBe('authorization_pending')
    await page.getByLabel('In the organization').selectOption('orbit')
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(heading).toContain('is connected')
    const { body } = await poll(codes)
    expect(body).toMatchObject({
      token_type: 'Bearer',
      scope: 'read_builds write_builds read_user',
    })
    expect(await page.content()).not.toContain(codes.device_code)
    await page.getByRole('link', { name: 'Authorized applications' }).last().click()
    await page.getByRole('button', { name: 'Revoke Terminal of the tests' }).click()
    await expect.poll(() => page.locator('main').innerText()).toContain('Nothing acts for you')
    expect((await s.api('/v2/user', String(body['access_token']))).status).toBe(401)
  })

  it('denies a code', async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect.poll(heading).toBe('Denied')
    expect((await poll(codes)).body['error']).toBe('access_denied')
  })

  it('counts a double click as one approval', async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.getByRole('button', { name: 'Approve' }).dblclick()
    await expect.poll(heading).toMatch(/is connected|Nothing changed/)
    expect((await poll(codes)).status).toBe(200)
    expect((await poll(codes)).body['error']).toBe('invalid_grant')
  })

  it('can be used with the keyboard only', async () => {
    const codes = await ask()
    await page.goto(codes.verification_uri_complete)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
      'Skip to the content',
    )
    await page.getByLabel('robin').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(heading).toContain('is connected')
  })

  it('fits 360 px, in light and dark, without a serious accessibility violation', {
    timeout: 120_000,
  }, async () => {
    const codes = await ask()
    await open(codes.verification_uri_complete)
    await page.setViewportSize({ width: 360, height: 740 })
    const addresses = [
      codes.verification_uri_complete,
      `${s.server.webUrl}/oauth/device`,
      `${s.server.webUrl}/oauth/device?user_code=BBBB-BBBB`,
      `${s.server.webUrl}/oauth/login`,
      `${s.server.webUrl}/oauth/authorized_applications`,
      `${s.server.webUrl}/`,
      `${s.server.webUrl}/acme`,
      `${s.server.webUrl}/docs`,
      `${s.server.webUrl}/docs/authentication`,
      `${s.server.webUrl}/nobody`,
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const address of addresses) await expectFits(page, address, colorScheme)
    }
  })
})
