import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createContext } from '../../../cli/src/context/create-context.js'
import { systemClock } from '../../../cli/src/io/clock.js'
import { createRedactor } from '../../../cli/src/io/redact.js'
import { ownSignals } from '../../../cli/src/io/signals.js'
import { setContext, takeSetContext } from '../../../cli/src/server/set-context.js'
import { memoryIo } from '../support/memory-io.js'

describe('server start --set-context', () => {
  test.each([
    [['--port', '0', '--set-context', 'local', '--json'], 'local', ['--port', '0', '--json']],
    [['--set-context=local'], 'local', []],
    [['start', '--set-context', 'a.b-c', '--seed', 'empty'], 'a.b-c', ['start', '--seed', 'empty']],
    [['--seed', 'demo'], null, ['--seed', 'demo']],
    [['--', '--set-context', 'x'], null, ['--', '--set-context', 'x']],
  ])('%o', (words, name, args) => {
    expect(takeSetContext(words)).toEqual({ name, args })
  })

  test.each([
    [['--set-context']],
    [['--set-context', '--json']],
    [['--set-context=a b']],
    [['--set-context', 'a', '--set-context', 'b']],
  ])('%o is a usage error', (words) => {
    expect(() => takeSetContext(words)).toThrow()
  })

  test('writes the context and keeps the token admin in the file store, for its owner alone', async () => {
    const home = await mkdtemp(join(tmpdir(), 'ci-set-context-'))
    try {
      const io = memoryIo({ home })
      const runtime = {
        io,
        clock: systemClock,
        interrupts: ownSignals(io),
        redactor: createRedactor(),
        storedCredential: async () => null,
        manifest: async () => {
          throw new Error('not needed')
        },
      }
      const context = await createContext(runtime, {}, '1.0.0')
      await setContext(context, 'local', {
        baseUrl: 'http://127.0.0.1:4010',
        authUrl: 'http://127.0.0.1:4010',
        webUrl: 'http://127.0.0.1:4010',
        accessTokens: { admin: 'bwua_admin' },
        seed: 'demo',
      })
      const file = async (name: string) =>
        JSON.parse(await readFile(join(home, '.config/buildwire', name), 'utf8')) as unknown
      expect(await file('config.json')).toMatchObject({
        current: 'local',
        contexts: {
          local: { baseUrl: 'http://127.0.0.1:4010', org_slug: 'acme', client_id: 'demo-terminal', store: 'file' },
        },
      })
      expect(await file('credentials.json')).toMatchObject({
        credentials: { local: { access_token: 'bwua_admin', origin: 'http://127.0.0.1:4010' } },
      })
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})
