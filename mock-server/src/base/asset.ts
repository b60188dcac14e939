import { readFileSync } from 'node:fs'
import { once } from './once.js'

const texts = new Map<string, string>()

/** The text of a source file such as `pages/style.css`. It is read at first use. */
export function asset(path: string): string {
  return once(texts, path, () =>
    readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8'),
  )
}
