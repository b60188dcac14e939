/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Layout, type LayoutProps } from './layout.js'
import { currentLogin, type PageRequest } from './page-context.js'

const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  // `no-referrer` would make a browser's own form send `Origin: null`, which the form check refuses.
  'Referrer-Policy': 'same-origin',
}

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503

/** One whole page, with the headers that every page carries. */
export function page(
  c: PageRequest,
  props: Omit<LayoutProps, 'urls' | 'user' | 'children'>,
  content: Child,
  status: Status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  const html = (
    <Layout {...props} urls={c.env.sandbox.urls} user={currentLogin(c)?.user}>
      {content}
    </Layout>
  )
  return c.body(`<!doctype html>${html}`, status, { ...headers, ...more })
}

/** A page that says what went wrong and where to go from here. */
export function problem(
  c: PageRequest,
  status: Exclude<Status, 200>,
  title: string,
  text: string,
  way?: { readonly href: string; readonly text: string },
  more: Readonly<Record<string, string>> = {},
): Response {
  const content = (
    <section class="card">
      <div class="body">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
        {way ? (
          <p>
            <a class="button" href={way.href}>
              {way.text}
            </a>
          </p>
        ) : null}
      </div>
    </section>
  )
  return page(c, { title, narrow: true }, content, status, more)
}

export const notFound = (c: PageRequest, what: string): Response =>
  problem(c, 404, `No ${what} here`, `This address names no ${what} that this server has.`, {
    href: `${c.env.sandbox.urls.webUrl}/`,
    text: 'All organizations',
  })
