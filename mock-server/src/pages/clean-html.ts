import { createRequire } from 'node:module'
import type sanitizer from 'sanitize-html'

const require = createRequire(import.meta.url)

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const text = 'p br hr strong em b i del s code pre kbd blockquote a details summary'
const structure = 'ul ol li dl dt dd table thead tbody tr th td'

/** HTML of others that a page may show: text, lists, tables, links; nothing that runs, loads or looks like the page. */
export function cleanHtml(html: string): string {
  // Every start would pay for it, and few show such a page.
  const sanitizeHtml: typeof sanitizer = require('sanitize-html')
  return sanitizeHtml(html, {
    allowedTags: [...headings, ...`${text} ${structure}`.split(' ')],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: {
      // The page has one heading of each rank of its own.
      ...Object.fromEntries(headings.map((name) => [name, 'strong'])),
      a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noreferrer' }),
    },
  })
}
