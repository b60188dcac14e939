import type { OutputStream } from './io.js'
import { type Printable, say } from './printable.js'
import type { LinkMaker } from './table.js'

/** Makes links for a stream: OSC 8 where the terminal is known to show it, else the text alone. */
export async function linkFor(stream: OutputStream, plain: boolean): Promise<LinkMaker> {
  const link = await fileLinkFor(stream, plain)
  return (text, url) => {
    const safe = safeUrl(url)
    return safe === null ? text : link(text, safe)
  }
}

/** As {@link linkFor}, for URLs that this program made itself, of files too. */
export async function fileLinkFor(
  stream: OutputStream,
  plain: boolean,
): Promise<(text: Printable, url: string) => Printable> {
  if (plain || !stream.isTTY || !(await stream.showsLinks())) return (text) => text
  return (text, url) => say`\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`
}

/** A URL from a server as `URL` writes it, http and https only; null for anything else. */
export function safeUrl(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null
  if (parsed.username !== '' || parsed.password !== '') return null
  return parsed.href
}
