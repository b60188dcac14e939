import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@buildwire/mock-server'
import { fetchTransport } from '@buildwire/sdk'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Keychain, keyringStore } from '../../../cli/src/auth/keyring.js'
import { refreshStore, tokenResponse } from '../../../cli/src/auth/renewal.js'
import { authOf, tokenOf } from '../../../cli/src/auth/stored.js'
import type { StoredCredential } from '../../../cli/src/auth/stored-credential.js'
import { chooseStore, storeOf } from '../../../cli/src/auth/stores.js'
import type { Notes } from '../../../cli/src/io/notes.js'
import { createRedactor } from '../../../cli/src/io/redact.js'
import { ownSignals } from '../../../cli/src/io/signals.js'
import { memoryIo } from '../support/memory-io.js'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-stores-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const clock = new VirtualClock()
const credential: StoredCredential = {
  origin: 'https://ci.example.test',
  authOrigin: 'https://ci.example.test',
  access_token: 'bwua_access',
  refresh_token: 'bwrt_refresh',
  expiresAt: 1_795_854_092_766,
  scope: 'read_builds',
  client_id: 'laptop',
  obtainedAt: 1_795_825_292_776,
}

describe('the keyring', () => {
  function fakeKeyring(platform = 'linux') {
    const items = new Map<string, string>()
    const chain: Keychain = {
      get: async (name) => items.get(name) ?? null,
      set: async (name, text) => void items.set(name, text),
      drop: async (name) => items.delete(name),
    }
    return { items, store: keyringStore(chain, platform) }
  }

  test('keeps a login as one item and loads it unchanged', async () => {
    const { items, store } = fakeKeyring()
    await store.probe()
    expect(items.size).toBe(0)
    await store.save('acme', credential)
    expect([...items.keys()]).toEqual(['acme'])
    expect(await store.load('acme')).toEqual(credential)
    expect(await store.load('other')).toBeNull()
    expect(await store.remove('acme')).toBe(true)
    expect(items.size).toBe(0)
    expect(await store.remove('acme')).toBe(false)
  })

  test('on Windows cuts a long login into items of 1 280 characters; an interrupted save changes nothing', async () => {
    const { items, store } = fakeKeyring('win32')
    const long = { ...credential, access_token: 'x'.repeat(4000) }
    await store.save('acme', long)
    expect(items.size).toBe(4)
    for (const text of items.values()) expect(text.length).toBeLessThanOrEqual(1280)
    expect(await store.load('acme')).toEqual(long)
    const { set } = items
    items.set = (name, text) => {
      if (name === 'acme') throw new Error('ended')
      return set.call(items, name, text)
    }
    await expect(store.save('acme', { ...long, access_token: 'y'.repeat(4000) })).rejects.toThrow(
      'ended',
    )
    items.set = set
    expect(await store.load('acme')).toEqual(long)
    await store.save('acme', credential)
    expect(await store.load('acme')).toEqual(credential)
    await store.save('acme', long)
    await store.save('acme', long)
    await store.remove('acme')
    expect(
      [...items.keys()].filter((name) => items.get('acme') !== undefined || name === 'acme'),
    ).toEqual([])
  })
})

describe('the choice of a store', () => {
  const options = (env: Record<string, string>, warnings: string[]) => ({
    io: memoryIo({ env, home }),
    clock,
    notes: { warn: (text) => void warnings.push(String(text)) } as Notes,
  })

  test('is the file by variable or flag, without a warning', async () => {
    const warnings: string[] = []
    const byVariable = await chooseStore(
      options({ BUILDWIRE_CREDENTIAL_STORE: 'file' }, warnings),
      false,
    )
    const byFlag = await chooseStore(options({}, warnings), true)
    expect([byVariable.kind, byFlag.kind, warnings]).toEqual(['file', 'file', []])
  })
})

describe('a renewal', () => {
  test('does not restore a login that another process has ended or replaced', async () => {
    const io = memoryIo({ home })
    const notes = { warn: () => undefined } as unknown as Notes
    const redactor = createRedactor()
    const store = await storeOf('file', { io, clock, notes })
    const tools = { io, clock, notes, redactor, interrupts: ownSignals(io) }
    const renewal = refreshStore(tools, store, 'acme', credential)
    for (const now of [
      null,
      { ...credential, refresh_token: undefined },
      { ...credential, origin: 'https://b.test' },
    ]) {
      if (now !== null) await store.save('acme', now)
      expect(await renewal.load()).toBeNull()
      await expect(renewal.save(tokenResponse(credential))).rejects.toMatchObject({ exitCode: 4 })
      expect(await store.load('acme')).toEqual(
        now === null ? null : JSON.parse(JSON.stringify(now)),
      )
    }
  })

  test('adds its token to the redactor also without a store, as for a replaced login', async () => {
    const redactor = createRedactor()
    const renewed = {
      access_token: 'bwua_renewed',
      token_type: 'Bearer',
      expires_in: 60,
      refresh_token: 'bwrt_next',
    }
    const transport = fetchTransport(() => async () => Response.json(renewed))
    const login = { ...credential, expiresAt: 0 }
    const provider = authOf({ io: memoryIo(), redactor }, 'local', login, {
      authUrl: login.authOrigin,
      transport,
    })
    await tokenOf(
      { auth: provider, label: '', scope: '', expiresAt: 0 },
      new AbortController().signal,
    )
    expect(redactor.redact('bwua_renewed')).toBe('[redacted]')
  })
})
