import { expect, it } from 'vitest'
import { asciiLower } from '../../mock-server/src/domain/ascii-lower.js'

it('folds the letters of ASCII and no others', () => {
  expect(asciiLower('AZaz@[`{ Robin@Acme.Example')).toBe('azaz@[`{ robin@acme.example')
  expect(asciiLower('\u00c4\u0130\u212a')).toBe('\u00c4\u0130\u212a')
})
