import { createRequire } from 'node:module'
import type { marked } from 'marked'

// Like `packages.ts`, but these are part of the built package: `tools/bundle.js` replaces this file.

const load = createRequire(import.meta.url)

export function loadMarked(): typeof marked {
  return load('marked').marked
}
