import type { LogCase } from '../case.js'
import { first } from './first/index.js'
import { cases as second } from './second/index.js'

/** The two halves of the corpus. The second was scored once before the rules were tuned by it. */
export const halves: Readonly<Record<'first' | 'second', readonly LogCase[]>> = { first, second }
