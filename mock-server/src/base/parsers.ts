import { createRequire } from 'node:module'
import type anser from 'anser'
import type { marked } from 'marked'

// Like `packages.ts`, but these are part of the built package, which runs them at their first use.

const isBuilt = typeof require === 'function'

export function loadMarked(): typeof marked {
  return isBuilt ? require('marked').marked : createRequire(import.meta.url)('marked').marked
}

export function loadAnser(): typeof anser {
  return isBuilt ? require('anser') : createRequire(import.meta.url)('anser')
}
