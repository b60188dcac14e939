import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const executablePath = '/usr/bin/chromium'

/** The reason why the browser tests cannot run here, or null. */
export const noBrowser: string | null = existsSync(executablePath)
  ? null
  : 'skipped: chromium is not installed'

export interface Browser {
  readonly context: BrowserContext
  close(): Promise<void>
}

/** A Chromium with a new profile that connects only to the server of the page. */
export async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: '--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-quic'.split(
      ' ',
    ),
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Errors, console messages and requests that a page must not cause. */
export interface Watch {
  readonly foreignRequests: string[]
  readonly consoleErrors: string[]
}

export function watch(page: Page, origin: string): Watch {
  const seen: Watch = { foreignRequests: [], consoleErrors: [] }
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) seen.foreignRequests.push(request.url())
  })
  page.on('console', (message) => {
    // Chromium reports a response of 4xx as a console error; the tests check statuses themselves.
    const own = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !own) seen.consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => seen.consoleErrors.push(String(error)))
  return seen
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/**
 * Accessibility violations that axe-core calls serious or critical, each with the first element
 * that it concerns.
 */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  const source = await readFile(
    createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    'utf8',
  )
  // The policy of the pages forbids scripts, so axe runs in an isolated world.
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await session.send('Runtime.evaluate', { expression: source, contextId: executionContextId })
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      'axe.run(document).then((result) => JSON.stringify({ violations: result.violations }))',
    contextId: executionContextId,
    awaitPromise: true,
  })
  await session.detach()
  const { violations } = JSON.parse(String(result.value)) as AxeResult
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}

/** Checks that a page is not wider than the screen and has no serious violation. */
export async function expectFits(page: Page, address: string, colorScheme: string): Promise<void> {
  await page.goto(address)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  )
  expect(overflow, `${address} is wider than the screen`).toBeLessThanOrEqual(0)
  expect(await seriousFaults(page), `${address} in ${colorScheme}`).toEqual([])
}
