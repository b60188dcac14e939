/** @jsxImportSource hono/jsx */
import { recordUrls } from '../present/urls.js'
import { notFound, recordPage } from './answer.js'
import { moment } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { Links } from './record.js'

/** `/{org}`: its pipelines and suites. */
export function organization(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const { organization: record, crumbs } = named(c)
  if (!record) return notFound(c, 'organization')
  const web = recordUrls(urls)
  const suites = [...store.state.values('suites')]
    .filter(({ organizationId }) => organizationId === record.id)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return recordPage(
    c,
    {
      crumbs: crumbs.slice(0, 1),
      title: record.name,
      facts: [
        { name: 'Slug', value: <code>{record.slug}</code> },
        { name: 'Token exchange', value: record.tokenExchangeEnabled ? 'enabled' : 'not enabled' },
        { name: 'Created', value: moment(record.created_at) },
      ],
    },
    <>
      <Links
        title="Pipelines"
        none="No pipeline yet."
        links={store.state.list('pipelines', record.id).map(({ slug, name, repository }) => ({
          href: web.pipelineWeb(record.slug, slug),
          text: name,
          sub: repository,
        }))}
      />
      <Links
        title="Test suites"
        none="No test suite yet."
        links={suites.map(({ slug, name }) => ({ href: web.suiteWeb(record.slug, slug), text: name, sub: slug }))}
      />
    </>,
  )
}

/** `/organizations/{org}/agents/{id}` */
export function agent(c: PageRequest): Response {
  const { organization, crumbs, id } = named(c)
  const record = c.env.sandbox.store.state.get('agents', id)
  if (!organization || record?.organizationId !== organization.id) return notFound(c, 'agent')
  return recordPage(c, {
    crumbs,
    title: record.name,
    facts: [
      { name: 'Connection', value: record.connection_state },
      { name: 'Host', value: <code>{record.hostname}</code> },
      { name: 'Address', value: record.ip_address ?? 'unknown' },
      { name: 'Software', value: record.user_agent },
      { name: 'Connected', value: moment(record.created_at) },
    ],
  })
}
