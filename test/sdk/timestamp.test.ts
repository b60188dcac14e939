import { parseTimestamp } from '@buildwire/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const moment = Date.UTC(2026, 2, 1, 9, 5)

test.each<[string | null | undefined, number | null]>([
  ['2026-03-01T09:05:00.120Z', moment + 120],
  ['2026-03-01T09:05:00Z', moment],
  ['2026-03-01 09:05:00 UTC', moment],
  ['2026-03-01 09:05:00.5 UTC', moment + 500],
  ['2026-03-01T09:05:00.123456789Z', moment + 123],
  ['2026-03-01T11:05:00+02:00', moment],
  ['2026-03-01T11:05:00+0200', moment],
  ['2026-03-01T04:35:00-04:30', moment],
  ['2026-03-01T11:05:00+02', moment],
  ['2026-03-01T09:05', moment],
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2026-02-29T00:00:00Z', null],
  ['2026-13-01T00:00:00Z', null],
  ['2026-03-01T24:00:00Z', null],
  ['2026-03-01T09:60:00Z', null],
  ['2026-03-01T09:05:00+25:00', null],
  ['1772355900', null],
  ['yesterday', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%j is %j', (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected)
})

test('reads what Date writes', () => {
  const min = new Date('0001-01-01T00:00:00Z')
  fc.assert(
    fc.property(fc.date({ min, max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(parseTimestamp(date.toISOString())).toBe(date.getTime())
    }),
  )
})

test('never throws, whatever a service sends', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const time = parseTimestamp(value as string)
      expect(time === null || Number.isFinite(time)).toBe(true)
    }),
  )
})
