import { isCiError } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLink, parseLinkHeader } from '../../sdk/src/http/link-header.js'

test.each<[string, string | undefined]>([
  ['<https://a.example/?page=2>; rel="next"', 'https://a.example/?page=2'],
  ['<?page=2>; rel=next', '?page=2'],
  ['<?branch=a,b;c&page=2>;rel="next"', '?branch=a,b;c&page=2'],
  ['<?page=1>; rel="prev", <?page=3>; rel="next"', '?page=3'],
  ['<?page=1>; rel="first prev", <?page=3>; rel="last next"', '?page=3'],
  ['<?page=2>; title="a, \\"b\\"; rel=\\"last\\""; rel="next"', '?page=2'],
  ['<?page=2>; REL="NEXT"', '?page=2'],
  ['<?page=2>; rel = "next" ; title*=UTF-8\'\'x', '?page=2'],
  ['<?page=2>;; rel="next";', '?page=2'],
  ["<?page=2>; rel='next'", '?page=2'],
  [', <?page=2>; rel="next", ,', '?page=2'],
  ['<?page=2>; rel="last"; rel="next"', undefined],
  ['<?page=2>; rel="nextish"', undefined],
  ['<?page=2>; rev="next"', undefined],
  ['<?page=2>', undefined],
  ['<?page=2>; crossorigin; rel="next"', '?page=2'],
  ['', undefined],
  ['   ', undefined],
])('the next link of %j is %j', (header, expected) => {
  expect(findLink(parseLinkHeader(header), 'next')).toBe(expected)
})

test.each([
  'next',
  '?page=2; rel="next"',
  '<?page=2; rel="next"',
  '<?page=2> rel="next"',
  '<a>; rel="next',
  '<a>; rel=',
])('%j is refused', (header) => {
  expect(() => parseLinkHeader(header)).toThrow(
    expect.objectContaining({ code: 'invalid_response' }),
  )
})

test('a relation has no case', () => {
  expect(findLink(parseLinkHeader('<?page=2>; rel="Next"'), 'NEXT')).toBe('?page=2')
})

describe('properties', () => {
  const target = fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[>\r\n]/g, ''))
  const word = fc.stringMatching(/^[a-z][a-z.-]{0,8}$/)

  test('whatever is written can be read', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            target,
            rels: fc.array(word, { minLength: 1, maxLength: 3 }),
            title: fc.string(),
          }),
        ),
        (links) => {
          const header = links
            .map(({ target, rels, title }) => {
              const quoted = title.replace(/[\r\n]/g, '').replace(/["\\]/g, '\\$&')
              return `<${target}>; title="${quoted}"; rel="${rels.join(' ')}"`
            })
            .join(', ')
          expect(parseLinkHeader(header)).toEqual(
            links.map(({ target, rels }) => ({ target, rel: rels })),
          )
        },
      ),
    )
  })

  test('any text is read or refused, and never hangs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
        try {
          expect(Array.isArray(parseLinkHeader(text))).toBe(true)
        } catch (error) {
          expect(isCiError(error, 'invalid_response')).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
