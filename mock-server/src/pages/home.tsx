/** @jsxImportSource hono/jsx */
import { recordUrls } from '../present/urls.js'
import { recordPage } from './answer.js'
import type { PageRequest } from './page-context.js'
import { LinkRow, Links } from './record.js'

const more = [
  { path: '/oauth/device', text: 'Connect a device', sub: 'Enter the code that a device shows' },
  { path: '/oauth/authorized_applications', text: 'Authorized applications', sub: 'See and revoke what acts for you' },
  { path: '/docs', text: 'API reference', sub: 'Every operation, record, scope and error' },
  { path: '/openapi.json', text: 'openapi.json', sub: 'The same for programs' },
]

/** `{web_url}/`: where a person starts. */
export function home(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const organizations = [...store.state.values('organizations')]
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(({ id, slug, name }) => ({
      href: recordUrls(urls).organizationWeb(slug),
      text: name,
      sub: slug,
      aside: count(store.state.list('pipelines', id).length),
    }))
  const lead = (
    <>
      This is a reference server. The API answers at <code>{urls.baseUrl}/v2</code>, the OAuth endpoints at{' '}
      <code>{urls.authUrl}/oauth</code>.
    </>
  )
  return recordPage(
    c,
    { title: 'Organizations', current: 'home', lead },
    <>
      <Links
        title="On this server"
        none="No organization yet: start with the demo seed, or post one."
        links={organizations}
      />
      <section class="card" aria-label="More">
        <ul class="rows">{more.map(({ path, ...link }) => LinkRow({ href: `${urls.webUrl}${path}`, ...link }))}</ul>
      </section>
    </>,
  )
}

const count = (pipelines: number): string => `${pipelines} ${pipelines === 1 ? 'pipeline' : 'pipelines'}`
