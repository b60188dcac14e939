/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { asset } from '../base/asset.js'
import type { UserRecord } from '../records/records.js'
import type { Urls } from '../request/exchange.js'

export interface LayoutProps {
  readonly title: string
  readonly urls: Urls
  readonly user?: UserRecord | undefined
  readonly narrow?: boolean
  /** Seconds after which the browser asks again, while what it shows still moves. */
  readonly refresh?: number | undefined
  /** The entry of the head navigation that this page is. */
  readonly current?: 'home' | 'device' | 'applications' | 'docs'
  readonly children?: Child
}

/** The mark of the house; the icon of the browser's tab is the same. */
export const icon = (): string => asset('pages/icon.svg')

const entries = [
  { key: 'home', path: '/', text: 'Organizations' },
  { key: 'device', path: '/oauth/device', text: 'Connect a device' },
  { key: 'applications', path: '/oauth/authorized_applications', text: 'Authorized applications' },
  { key: 'docs', path: '/docs', text: 'API' },
] as const

/** The frame of every page: skip link, head, one `main`, foot. */
export function Layout({ title, urls, user, narrow, refresh, current, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh === undefined ? null : <meta http-equiv="refresh" content={String(refresh)} />}
        <title>{`${title} · Buildwire`}</title>
        <link rel="stylesheet" href={`${urls.webUrl}/docs/style.css`} />
        <link rel="icon" href={`${urls.webUrl}/docs/icon.svg`} type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <div>
            <a class="brand" href={`${urls.webUrl}/`}>
              {raw(icon())}
              Buildwire
            </a>
            <nav aria-label="Main">
              {entries.map(({ key, path, text }) => (
                <a href={`${urls.webUrl}${path}`} aria-current={key === current ? 'page' : undefined}>
                  {text}
                </a>
              ))}
            </nav>
          </div>
        </header>
        <main id="content" class={narrow ? 'narrow' : undefined}>
          {children}
        </main>
        <footer>
          {user ? (
            <form method="post" action={`${urls.webUrl}/oauth/logout`}>
              <p>
                Logged in as {user.name}.{' '}
                <button class="plain" type="submit">
                  Log out
                </button>
              </p>
            </form>
          ) : (
            <p>A reference server for development and tests.</p>
          )}
        </footer>
      </body>
    </html>
  )
}
