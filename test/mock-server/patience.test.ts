import { VirtualClock } from '@buildwire/mock-server'
import { describe, expect, it } from 'vitest'
import { patiently } from '../../mock-server/src/store/patience.js'

/** A step that fails so often, on a clock that moves whenever somebody waits. */
async function tried(platform: string, code: string, failures: number) {
  const began = Date.parse('2026-03-02T09:00:00Z')
  const clock = new VirtualClock({ now: began })
  let tries = 0
  const waiting = {
    now: () => clock.now(),
    monotonic: () => clock.now(),
    sleep: (ms: number) => clock.advance(ms).then(() => undefined),
  }
  const step = async () => {
    if (tries++ < failures) throw Object.assign(new Error(code), { code })
    return 'done'
  }
  const result = await patiently(step, { platform, clock: waiting }).catch(
    (error: Error) => error.message,
  )
  return { result, tries, tookMs: clock.now() - began }
}

describe('a file that another program holds', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('on Windows, %s is retried for 2 s', async (code) => {
    expect(await tried('win32', code, 3)).toEqual({ result: 'done', tries: 4, tookMs: 70 })
    const { result, tries, tookMs } = await tried('win32', code, 1_000)
    expect({ result, isEnough: tookMs > 1_700 && tookMs <= 2_000, tries: tries > 10 }).toEqual({
      result: code,
      isEnough: true,
      tries: true,
    })
  })

  it('on other systems, and for other errors, the first error is final', async () => {
    expect(await tried('linux', 'EPERM', 1)).toEqual({ result: 'EPERM', tries: 1, tookMs: 0 })
    expect(await tried('win32', 'ENOENT', 1)).toEqual({ result: 'ENOENT', tries: 1, tookMs: 0 })
  })
})
