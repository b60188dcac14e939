import { createRequire } from 'node:module'
import type pretty from 'pino-pretty'

// Packages that are loaded at their first use, because each would slow down every start and few runs
// need them. CommonJS and bundlers have a `require` that must see the name of the package itself.

const isCommonJs = typeof require === 'function'

export function loadUndici(): typeof import('undici') {
  return isCommonJs ? require('undici') : createRequire(import.meta.url)('undici')
}

export function loadPrettyPrinter(): typeof pretty {
  return isCommonJs ? require('pino-pretty') : createRequire(import.meta.url)('pino-pretty')
}
