import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../mock-server/src/program/logger.js'
import { loadStrictCheck } from '../../mock-server/src/request/openapi.js'

/** A reader that takes nothing until it is let. */
function stuckReader(): Writable & { readonly taken: string[]; release(): void } {
  const taken: string[] = []
  let waiting: (() => void) | undefined
  let free = false
  const stream = new Writable({
    decodeStrings: false,
    write(line, _encoding, done) {
      taken.push(String(line))
      if (free) done()
      else waiting = done
    },
  })
  return Object.assign(stream, {
    taken,
    release() {
      free = true
      waiting?.()
    },
  })
}

describe('the log', () => {
  it('keeps at most 1 MiB for a slow reader and counts what it drops', async () => {
    const reader = stuckReader()
    const logger = await createLogger('json', reader)
    const path = 'x'.repeat(10_000)
    for (let n = 0; n < 300; n++) logger.log({ level: 'info', msg: 'request', path })
    expect(reader.writableLength).toBeLessThanOrEqual(1_048_576)
    expect(logger.dropped).toBeGreaterThan(150)
    reader.release()
    await logger.flush()
    expect(reader.taken.length + logger.dropped).toBeGreaterThanOrEqual(300)
    for (const line of reader.taken.filter((each) => each !== ''))
      expect(JSON.parse(line)).toMatchObject({ path })
  })

  it('goes on when its reader has left', async () => {
    const reader = new Writable({ write: (_line, _encoding, done) => done(new Error('EPIPE')) })
    const logger = await createLogger('json', reader)
    logger.log({ level: 'info', msg: 'ready' })
    await new Promise((resolve) => setImmediate(resolve))
    logger.log({ level: 'info', msg: 'stopping' })
    await logger.flush()
    expect(logger.dropped).toBe(1)
  })

  it('shows eyes no control characters and no bidi marks', async () => {
    const reader = stuckReader()
    reader.release()
    const logger = await createLogger('pretty', reader)
    logger.log({
      level: 'info',
      msg: 'request',
      method: 'GET',
      path: '/\u001b[2Jx\u202e',
      status: 404,
      user: null,
    })
    logger.log({ level: 'warn', msg: 'recovered', bytes: 12 })
    await logger.flush()
    const shown = reader.taken.join('')
    expect(shown).toMatch(
      /^\[.+\] INFO: request GET \/\\u001b\[2Jx\\u202e 404\n.+ WARN: recovered · 12 bytes\n$/,
    )
    expect(shown).not.toContain('\u001b')
    expect(shown).not.toContain('\u202e')
  })

  it('says nothing when it is off', async () => {
    const reader = stuckReader()
    reader.release()
    const logger = await createLogger('off', reader)
    logger.log({ level: 'error', msg: 'internalError' })
    await logger.flush()
    expect(reader.taken.join('')).toBe('')
  })
})

describe('the strict check', () => {
  it('finds an answer that the contract does not promise, and names what is wrong with it', async () => {
    const check = await loadStrictCheck()
    expect(() => check('user.get', 200, { body: { id: 'x' } })).toThrow(
      /^user\.get 200: .*must have required property/,
    )
    expect(() => check('builds.list', 200, { json: Buffer.from('[{"id":1}]') })).toThrow(
      'builds.list 200',
    )
    expect(() => check('builds.list', 200, { json: Buffer.from('[]') })).not.toThrow()
    expect(() => check('jobs.logText', 200, { text: 'anything' })).not.toThrow()
  })
})
