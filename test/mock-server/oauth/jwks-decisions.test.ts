import { describe, expect, it } from 'vitest'
import { freshFor, isJwksUri } from '../../../mock-server/src/domain/jwks-cache.js'

describe('a key set by URI', () => {
  it.each([
    ['https://keys.example/jwks.json?x=a@b', true],
    ['HTTPS://keys.example', true],
    ['https://keys.example/a@b', true],
    ['http://keys.example/jwks.json', false],
    ['http://localhost:4010/jwks', true],
    ['http://127.0.0.1/jwks', true],
    ['http://127.255.10.20/jwks', true],
    ['https://keys.example/?of=ftp://user@x', true],
    ['http://[::1]:8080/jwks', true],
    ['http://localhost.example/jwks', false],
    ['http://127.0.0.1.example/jwks', false],
    ['http://x127.0.0.1/jwks', false],
    ['https://user@keys.example/', false],
    ['https://user:secret@keys.example/', false],
    ['https://@keys.example/', false],
    ['https://keys.example/#top', false],
    ['https://keys.example/#', false],
    ['https:\\\\keys.example\\jwks', false],
    ['https://keys.example/a b', false],
    ['https://keys.example/\u00e9', false],
    ['https:keys.example', false],
    ['https:/keys.example', false],
    ['ftp://localhost/jwks', false],
    ['xhttps://localhost/jwks', false],
    ['https://', false],
    ['keys.example', false],
    ['', false],
  ])('may live at %s: %j', (text, allowed) => {
    expect(isJwksUri(text)).toBe(allowed)
  })

  it.each([
    [null, 3_600_000],
    ['', 3_600_000],
    ['no-cache', 3_600_000],
    ['max-age=600', 600_000],
    ['public, max-age=600', 600_000],
    ['public,max-age = "600"', 600_000],
    ['public MAX-AGE=600', 600_000],
    ['s-max-age=600', 3_600_000],
    ['max-age=x', 3_600_000],
    ['max-age=0', 60_000],
    ['max-age=59', 60_000],
    ['max-age=61', 61_000],
    ['max-age=3601', 3_600_000],
    [`max-age=${'9'.repeat(400)}`, 3_600_000],
  ])('with Cache-Control %j is fresh for %i ms', (header, ms) => {
    expect(freshFor(header)).toBe(ms)
  })
})
