/** A URL, or undefined for other texts. `URL.canParse` is missing in some runtimes, such as jsdom 20. */
export function parseUrl(text: string | URL, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
