import sanitizeHtml from 'sanitize-html'

/** HTML of others that a page may show: text, lists, tables, links; nothing that runs, loads or looks like the page. */
export const cleanHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: [
      ...[
        'p',
        'br',
        'hr',
        'h1',
        'h2',
        'h3',
        'h4',
        'h5',
        'h6',
        'strong',
        'em',
        'b',
        'i',
        'del',
        's',
        'code',
        'pre',
        'kbd',
      ],
      ...[
        'ul',
        'ol',
        'li',
        'blockquote',
        'table',
        'thead',
        'tbody',
        'tr',
        'th',
        'td',
        'a',
        'details',
        'summary',
        'dl',
        'dt',
        'dd',
      ],
    ],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    // The page has one heading of each rank of its own.
    transformTags: { ...headings(), a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noreferrer' }) },
  })

function headings(): Record<string, string> {
  return Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'strong']))
}
