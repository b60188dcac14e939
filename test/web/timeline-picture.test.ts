import { existsSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMockServer, type MockServer, VirtualClock } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, noBrowser, openBrowser } from './browser.js'

/**
 * The README's picture of a build, light and dark. `BUILDWIRE_PICTURES=new npx vitest run
 * test/web/timeline-picture.test.ts -u` makes it again. Without it the test fails if the page
 * differs from the picture.
 */
const makesAnew = process.env['BUILDWIRE_PICTURES'] === 'new'
const number = 872
const width = 900
const file = (scheme: string) =>
  fileURLToPath(new URL(`../../docs/images/build-${scheme}.webp`, import.meta.url))

describe.skipIf(noBrowser !== null)('the picture of a build, in Chromium', () => {
  let server: MockServer
  let browser: Browser
  beforeAll(async () => {
    const clock = new VirtualClock({ now: Date.parse('2026-11-27T14:28:11.000Z') })
    server = createMockServer({ seed: 'demo', randomSeed: 7, clock })
    ;[browser] = await Promise.all([openBrowser(), server.listen({ port: 0 })])
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  it.each(['light', 'dark'] as const)('shows the same as the page: %s', async (colorScheme) => {
    const page = await browser.context.newPage()
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 1000 })
    await page.goto(`${server.webUrl}/acme/web/builds/${number}`)
    if (makesAnew) {
      const bottom = await page.evaluate(
        () => document.querySelector('.legend')?.getBoundingClientRect().bottom ?? 0,
      )
      const clip = { x: 0, y: 0, width, height: Math.ceil(bottom + 16), scale: 2 }
      const session = await page.context().newCDPSession(page)
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: 38,
        clip,
      })
      writeFileSync(file(colorScheme), Buffer.from(data, 'base64'))
    }
    expect(existsSync(file(colorScheme)) && statSync(file(colorScheme)).size).toBeLessThan(60_000)
    const shown = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          'h1, h2, .head .state, .lead, dt, .notice, svg > title, svg > desc, .legend',
        ),
      ]
        .map((part) => part.textContent?.trim())
        .join('\n'),
    )
    expect(shown).toMatchInlineSnapshot(`
      "Web #872
      ✗failed
      Ask for 3-D Secure only when the bank does
      Unit tests 3/8 failed · exit 1
      1 of 214 tests failed: cart › keeps its order after a reload (cart/order.test.ts:41)
      Branch
      Commit
      Started by
      Created
      Took
      Timeline
      10 jobs in 3m 12s
      The length of the build is made of: Unit tests.
      waits  waits for a person  runs  makes the build as long as it is
      Jobs
      Artifacts"
    `)
    await page.close()
  })
})
