import type { OutputStream } from './io.js'
import { say } from './printable.js'
import type { LinkMaker } from './table.js'

/** Makes links for a stream: OSC 8 where the terminal is known to show it, else the text alone. */
export async function linkFor(stream: OutputStream, plain: boolean): Promise<LinkMaker> {
  const none: LinkMaker = (text) => text
  if (plain || !stream.isTTY || !(await stream.showsLinks())) return none
  return (text, url) => {
    const safe = safeUrl(url)
    return safe === null ? text : say`\u001b]8;;${safe}\u0007${text}\u001b]8;;\u0007`
  }
}

/** A URL from a server as `URL` writes it, http and https only; null for anything else. */
export function safeUrl(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null
  if (parsed.username !== '' || parsed.password !== '') return null
  return parsed.href
}
