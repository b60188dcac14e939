import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const config = fileURLToPath(new URL('fixtures/vitest.config.ts', import.meta.url))

/** Runs the failing tests of `fixtures` in a vitest of their own, and returns what it prints. */
async function runFailingTests(): Promise<string> {
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    env: { ...env, NO_COLOR: '1', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  await new Promise((resolve) => child.on('close', resolve))
  return printed
}

test('a failed test prints the requests of its sandbox and no second error', async () => {
  const printed = await runFailingTests()
  expect(printed).toContain(
    'Last requests of "fails by an assertion":\n  GET /v2/user 401 no_credentials\n',
  )
  expect(printed).toContain(
    'Last requests of "fails by its time limit":\n  GET /v2/user 401 no_credentials\n',
  )
  expect(printed).toContain(
    'Last requests of "fails while a device login waits":\n  POST /oauth/device_authorization 200\n',
  )
  expect(printed).toMatch(/Tests\s+3 failed \(3\)/)
  expect(printed).not.toContain('No sandbox found')
  expect(printed).not.toContain('Unhandled')
  expect(printed.match(/^ FAIL /gm)).toHaveLength(3)
  expect(printed.match(/^(?:\w*Error): /gm)).toHaveLength(3)
}, 180_000)
