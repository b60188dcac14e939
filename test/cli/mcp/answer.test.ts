import { expect, it } from 'vitest'
import { createRedactor } from '../../../cli/src/io/redact.js'
import { cleaned, fitted, sizeOf } from '../../../cli/src/mcp/answer.js'

const SECRET = 'bwat_0123456789abcdef'
const redactor = createRedactor()
redactor.add(SECRET)

it('hides a secret with an invisible character inside', () => {
  const invisible = ['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u2028', '\u0000']
  for (const character of [...invisible, '\u001b', '\u2800', '\ufff9', '\u{e0041}', '\ud800']) {
    const text = `token ${SECRET.slice(0, 9)}${character}${SECRET.slice(9)} end`
    expect(cleaned({ [text]: text }, redactor)).toEqual({
      'token [redacted] end': 'token [redacted] end',
    })
  }
})

it('keeps a joiner only between pictographs', () => {
  const clean = (text: string) => cleaned(text, redactor)
  expect(clean('👩‍💻 👩🏽‍🚀 a\u200db \u200d👩\u200d \n\t')).toBe('👩‍💻 👩🏽‍🚀 ab 👩 \n\t')
})

it('fits whatever a service sends', () => {
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key${at}`, [at, {}]]))
  let deep: unknown = 'end'
  for (let depth = 0; depth < 1_000; depth++) deep = [deep, { depth }]
  const records = [
    { id: 'x', message: wide, state: 'failed' },
    { id: 'x', message: Array.from({ length: 5_000 }, () => ({})), state: 'failed' },
    { id: 'x', message: deep, state: 'failed' },
    { id: 'x', state: 'failed', ...wide, truncated: 'y'.repeat(5_000) },
    { id: 'x', state: 'failed', jobs: [wide, wide], message: { ['k'.repeat(9_000)]: 1 } },
  ]
  for (const raw of records) {
    for (const maxBytes of [2_000, 8_000]) {
      const record = cleaned(raw, redactor)
      const list = 'jobs' in raw ? { key: 'jobs', advice: 'ask again' } : undefined
      const result = fitted({ record, list }, maxBytes)
      expect(sizeOf(result)).toBeLessThanOrEqual(maxBytes)
      expect(result).toMatchObject({ id: 'x' })
    }
  }
})
