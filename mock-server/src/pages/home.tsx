/** @jsxImportSource hono/jsx */
import { recordUrls } from '../http/urls.js'
import { page } from './answer.js'
import type { PageRequest } from './page-context.js'
import { Links } from './record.js'

/** `{web_url}/`: where a person starts. */
export function home(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const organizations = [...store.state.values('organizations')]
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(({ id, slug, name }) => ({
      href: recordUrls(urls).organizationWeb(slug),
      text: name,
      sub: slug,
      aside: count(store.state.pipelines(id).length),
    }))
  return page(
    c,
    { title: 'Organizations', current: 'home' },
    <>
      <div class="head">
        <h1>Organizations</h1>
        <p class="lead">
          This is a reference server. The API answers at <code>{urls.baseUrl}/v2</code>, the OAuth endpoints at{' '}
          <code>{urls.authUrl}/oauth</code>.
        </p>
      </div>
      <Links
        title="On this server"
        none="No organization yet: start with the demo seed, or post one."
        links={organizations}
      />
      <section class="card" aria-label="More">
        <ul class="rows">
          {[
            ['/oauth/device', 'Connect a device', 'Enter the code that a device shows'],
            ['/oauth/authorized_applications', 'Authorized applications', 'See and revoke what acts for you'],
            ['/docs', 'API reference', 'Every operation, record, scope and error'],
            ['/openapi.json', 'openapi.json', 'The same for programs'],
          ].map(([path, text, sub]) => (
            <li>
              <div class="grow">
                <a class="what" href={`${urls.webUrl}${path}`}>
                  {text}
                </a>
                <p class="sub">{sub}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>,
  )
}

const count = (pipelines: number): string => `${pipelines} ${pipelines === 1 ? 'pipeline' : 'pipelines'}`
