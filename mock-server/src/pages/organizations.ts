import { html } from 'hono/html'
import { recordUrls } from '../present/urls.js'
import { notFound, recordPage } from './answer.js'
import { moment } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { type Child, code, listing, row } from './record.js'

const more = [
  { path: '/oauth/device', text: 'Connect a device', sub: 'Enter the code that a device shows' },
  {
    path: '/oauth/authorized_applications',
    text: 'Authorized applications',
    sub: 'See and revoke what acts for you',
  },
  { path: '/docs', text: 'API reference', sub: 'Every operation, record, scope and error' },
  { path: '/openapi.json', text: 'openapi.json', sub: 'The same for programs' },
]

function bySlug<T extends { readonly slug: string }>(records: Iterable<T>): readonly T[] {
  return [...records].sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** `{web_url}/`: the start page. */
export function home(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const organizations = bySlug(store.state.values('organizations')).map(
    ({ id, slug, name: text }) => {
      const count = store.state.list('pipelines', id).length
      const aside = `${count} ${count === 1 ? 'pipeline' : 'pipelines'}`
      return row({ href: recordUrls(urls).organizationWeb(slug), text, sub: slug, aside })
    },
  )
  const lead = html`This is a reference server. The API answers at ${code(`${urls.baseUrl}/v2`)}, the OAuth endpoints at
    ${code(`${urls.authUrl}/oauth`)}.`
  const content = html`
    ${listing('On this server', 'No organization yet: start with the demo seed, or post one.', organizations)}
    <section class="card" aria-label="More">
      <ul class="rows">${more.map(({ path, ...link }) => row({ href: urls.webUrl + path, ...link }))}</ul>
    </section>`
  return recordPage(c, { title: 'Organizations', current: 'home', lead }, content)
}

/** `/{org}`: its pipelines and suites. */
export function organization(c: PageRequest): Response {
  const { organization: record, crumbs, state, web } = named(c)
  if (!record) return notFound(c, 'organization')
  const pipelines = [...state.list('pipelines', record.id)].map(({ slug, name, repository }) =>
    row({ href: web.pipelineWeb(record.slug, slug), text: name, sub: repository }),
  )
  const suites = bySlug(state.values('suites'))
    .filter(({ organizationId }) => organizationId === record.id)
    .map(({ slug, name }) => row({ href: web.suiteWeb(record.slug, slug), text: name, sub: slug }))
  const facts = [
    ['Slug', code(record.slug)],
    ['Token exchange', record.tokenExchangeEnabled ? 'enabled' : 'not enabled'],
    ['Created', moment(record.created_at)],
  ] as const
  const content = [
    listing('Pipelines', 'No pipeline yet.', pipelines),
    listing('Test suites', 'No test suite yet.', suites),
  ]
  return recordPage(c, { crumbs, title: record.name, facts }, content)
}

/** `/organizations/{org}/agents/{id}` */
export function agent(c: PageRequest): Response {
  const { organization, crumbs, id, state } = named(c)
  const record = state.get('agents', id)
  if (!organization || record?.organizationId !== organization.id) return notFound(c, 'agent')
  const facts = [
    ['Connection', record.connection_state],
    ['Host', code(record.hostname)],
    ['Address', record.ip_address ?? 'unknown'],
    ['Software', record.user_agent],
    ['Connected', moment(record.created_at)],
  ] as const
  return recordPage(c, { crumbs, title: record.name, facts })
}

function tags(labels: readonly string[]): Child {
  return (
    labels.length > 0 &&
    html`<span class="tags">${labels.map((label) => html`<span class="tag">${label}</span>`)}</span>`
  )
}

/** `/organizations/{org}/analytics/suites/{suite}`: its test records. */
export function suite(c: PageRequest): Response {
  const { organization, suite: record, crumbs, state, web } = named(c)
  if (!organization || !record) return notFound(c, 'test suite')
  const tests = [...state.list('tests', record.id)].map(({ id, scope, name, location, labels }) => {
    const text = scope === '' ? name : `${scope} › ${name}`
    return row({
      href: web.testWeb(organization.slug, record.slug, id),
      text,
      sub: location,
      aside: tags(labels),
    })
  })
  const facts = [['Slug', code(record.slug)]] as const
  return recordPage(
    c,
    { crumbs, title: record.name, facts },
    listing('Tests', 'No test recorded yet.', tests),
  )
}

/** `…/tests/{id}`: one test record. */
export function test(c: PageRequest): Response {
  const { organization, suite: owner, crumbs, id, state } = named(c)
  const record = state.get('tests', id)
  if (!organization || !owner || record?.suiteId !== owner.id) return notFound(c, 'test')
  const facts = [
    ['Scope', record.scope || 'none'],
    ['Location', record.location === null ? 'unknown' : code(record.location)],
    ['Labels', tags(record.labels) || 'none'],
    ['Id', code(record.id)],
  ] as const
  return recordPage(c, { crumbs, title: record.name, facts })
}
