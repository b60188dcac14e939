import { createRequire } from 'node:module'
import type anser from 'anser'
import type { marked } from 'marked'
import type pretty from 'pino-pretty'
import type sanitize from 'sanitize-html'

// Packages that are loaded at their first use, because each would slow down every start and few runs
// need them. CommonJS and bundlers have a `require` that must see the name of the package itself.

const isCommonJs = typeof require === 'function'

export function loadUndici(): typeof import('undici') {
  return isCommonJs ? require('undici') : createRequire(import.meta.url)('undici')
}

export function loadPrettyPrinter(): typeof pretty {
  return isCommonJs ? require('pino-pretty') : createRequire(import.meta.url)('pino-pretty')
}

export function loadSanitizer(): typeof sanitize {
  return isCommonJs ? require('sanitize-html') : createRequire(import.meta.url)('sanitize-html')
}

export function loadMarked(): typeof marked {
  return isCommonJs ? require('marked').marked : createRequire(import.meta.url)('marked').marked
}

export function loadAnser(): typeof anser {
  return isCommonJs ? require('anser') : createRequire(import.meta.url)('anser')
}
