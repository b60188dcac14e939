import { createRequire } from 'node:module'
import type anser from 'anser'

// Like `base/packages.ts`, but these are part of the built package: `tools/bundle.js` replaces this
// file.

const load = createRequire(import.meta.url)

/** GitHub's names of emoji (`hammer`) with their characters. */
export function loadEmojis(): Readonly<Record<string, unknown>> {
  return load('markdown-it-emoji/lib/data/full.mjs').default
}

export function loadAnser(): typeof anser {
  return load('anser')
}
