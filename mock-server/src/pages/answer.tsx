/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Layout, type LayoutProps } from './layout.js'
import { currentLogin, type PageRequest } from './page-context.js'
import { Button, type Place, type RecordProps, RecordView } from './record.js'

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
type Titled = Pick<LayoutProps, 'title' | 'current' | 'refresh'>

function page(
  c: PageRequest,
  props: Titled & Pick<LayoutProps, 'narrow'>,
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

/** A page that shows a record of the API, or several: title, facts, lists. */
export const recordPage = (
  c: PageRequest,
  { current, refresh, ...record }: Titled & RecordProps,
  content?: Child,
): Response =>
  page(c, { title: record.title, refresh, ...(current && { current }) }, <RecordView {...record}>{content}</RecordView>)

/** A page of one narrow sheet; its heading is its title unless it says otherwise. */
export function sheet(
  c: PageRequest,
  { heading, docs = false, ...titled }: Titled & { readonly heading?: string; readonly docs?: boolean },
  content: Child,
  status?: Status,
  more?: Readonly<Record<string, string>>,
): Response {
  const card = (
    <section class="card">
      <div class={docs ? 'body docs' : 'body'}>
        <h1>{heading ?? titled.title}</h1>
        {content}
      </div>
    </section>
  )
  return page(c, { ...titled, narrow: true }, card, status, more)
}

/** A page that says what went wrong and where to go from here. */
export function problem(
  c: PageRequest,
  status: Exclude<Status, 200>,
  title: string,
  text: string,
  way?: Place,
  more?: Readonly<Record<string, string>>,
): Response {
  const content = (
    <>
      <p class="lead">{text}</p>
      {way ? <Button {...way} /> : null}
    </>
  )
  return sheet(c, { title }, content, status, more)
}

export const notFound = (c: PageRequest, what: string): Response =>
  problem(c, 404, `No ${what} here`, `This address names no ${what} that this server has.`, {
    href: `${c.env.sandbox.urls.webUrl}/`,
    text: 'All organizations',
  })
