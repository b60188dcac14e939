import type { Animal, Expected } from './animal.js'
import * as first from './first/zoo.js'
import type { Part } from './keeper.js'
import { animals as second } from './second/zoo.js'
import { expected as secondExpected } from './second-rows.js'
import { animals as third } from './third/zoo.js'
import { expected as thirdExpected } from './third-rows.js'

export interface ZooPart {
  readonly part: Part
  readonly animals: readonly Animal[]
  /** Where each mistake shows that a server can see. */
  readonly expected: Readonly<Record<string, Expected>>
}

/** The second and the third part were written by others, without knowledge of the judges. */
export const zoo: readonly ZooPart[] = [
  { part: 'first', animals: first.animals, expected: first.expected },
  { part: 'second', animals: second, expected: secondExpected },
  { part: 'third', animals: third, expected: thirdExpected },
]
