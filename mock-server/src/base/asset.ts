import { readFileSync } from 'node:fs'
import { once } from './once.js'

const texts = new Map<string, string>()

/**
 * The text of a file that stands among the sources, such as `pages/style.css`; read when it is
 * first asked for.
 */
export function asset(path: string): string {
  return once(texts, path, () =>
    readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8'),
  )
}
