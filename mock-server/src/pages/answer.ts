import { html, raw } from 'hono/html'
import { asset } from '../base/asset.js'
import { currentLogin, type PageRequest } from './page-context.js'
import { button, type Child, factList, link, type PageFact, type PageLink } from './record.js'

const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  // `no-referrer` would make a browser's own form send `Origin: null`, which the form check
  // refuses.
  'Referrer-Policy': 'same-origin',
}

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503

/** The links of the head. */
const navigation = {
  home: { path: '/', text: 'Organizations' },
  device: { path: '/oauth/device', text: 'Connect a device' },
  applications: { path: '/oauth/authorized_applications', text: 'Authorized applications' },
  docs: { path: '/docs', text: 'API' },
}

interface Titled {
  readonly title: string
  /** Seconds after which the browser reloads the page, while its record may still change. */
  readonly refresh?: number | undefined
  /** The link of the head that leads to this page. */
  readonly current?: keyof typeof navigation
  /** A step of a login, which has no links that lead away from it. */
  readonly isStep?: boolean
}

/** The logo, which is also the icon of the browser's tab. */
export function icon(): string {
  return asset('pages/icon.svg')
}

/** The frame of every page: skip link, head, one `main`, foot. */
function page(
  c: PageRequest,
  { title, refresh, current, isStep = false }: Titled,
  main: Child,
  status: Status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { webUrl } = c.env.sandbox.urls
  const user = currentLogin(c)?.user
  const links = Object.entries(navigation).map(
    ([key, { path, text }]) =>
      html`<a href="${webUrl}${path}"${key === current && raw(' aria-current="page"')}>${text}</a>`,
  )
  const foot = html`<form method="post" action="${webUrl}/oauth/logout">
    <p>Logged in as ${user?.name}. <button class="plain" type="submit">Log out</button></p>
  </form>`
  const text = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    ${refresh !== undefined && html`<meta http-equiv="refresh" content="${refresh}"/>`}
    <title>${title} · Buildwire</title>
    <link rel="stylesheet" href="${webUrl}/docs/style.css"/>
    <link rel="icon" href="${webUrl}/docs/icon.svg" type="image/svg+xml"/>
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      <div>
        ${isStep ? html`<span class="brand">${raw(icon())}Buildwire</span>` : html`<a class="brand" href="${webUrl}/">${raw(icon())}Buildwire</a>`}
        ${!isStep && html`<nav aria-label="Main">${links}</nav>`}
      </div>
    </header>
    ${main}
    <footer>${user ? foot : html`<p>A reference server for development and tests.</p>`}</footer>
  </body>
</html>`
  return c.body(String(text), status, { ...headers, ...more })
}

interface RecordProps extends Titled {
  /** The links to the records that hold this one, outermost first. */
  readonly crumbs?: readonly PageLink[]
  /** The state, beside the title. */
  readonly badge?: Child
  readonly lead?: Child
  /** What is more important than the facts. */
  readonly first?: Child
  readonly facts?: readonly PageFact[]
}

/** A page that shows a record of the API, or several: title, facts, lists. */
export function recordPage(c: PageRequest, record: RecordProps, content?: Child): Response {
  const { title, crumbs = [], badge, lead, first } = record
  const facts = factList(record.facts ?? [])
  const heading = html`<h1>${title}</h1>`
  const trail = html`<nav aria-label="Breadcrumb">
    <ol class="crumbs">${crumbs.map((crumb) => html`<li>${link(crumb)}</li>`)}</ol>
  </nav>`
  const main = html`<main id="content">
    <div class="head">
      ${crumbs.length > 0 && trail}
      ${badge ? html`<div class="headline">${heading}${badge}</div>` : heading}
      ${lead && html`<p class="lead" dir="auto">${lead}</p>`}
    </div>
    ${first}
    ${facts && html`<section class="card" aria-label="Facts"><div class="body">${facts}</div></section>`}
    ${content}
  </main>`
  return page(c, record, main)
}

/** A page of one narrow sheet; its heading is its title unless it says otherwise. */
export function sheet(
  c: PageRequest,
  titled: Titled & { readonly heading?: string; readonly look?: 'body docs' },
  content: Child,
  status?: Status,
  more?: Readonly<Record<string, string>>,
): Response {
  const { title, heading = title, look = 'body' } = titled
  const main = html`<main id="content" class="narrow">
    <section class="card"><div class="${look}"><h1>${heading}</h1>${content}</div></section>
  </main>`
  return page(c, titled, main, status, more)
}

/** A page that says what went wrong and where to go from here. */
export function problem(
  c: PageRequest,
  status: Exclude<Status, 200>,
  title: string,
  text: string,
  way?: PageLink,
  more?: Readonly<Record<string, string>>,
): Response {
  return sheet(c, { title }, html`<p class="lead">${text}</p>${way && button(way)}`, status, more)
}

export function notFound(c: PageRequest, what: string): Response {
  return problem(c, 404, `No ${what} here`, `This server has no ${what} at this address.`, {
    href: `${c.env.sandbox.urls.webUrl}/`,
    text: 'All organizations',
  })
}
