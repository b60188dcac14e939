/** @jsxImportSource hono/jsx */

import { recordUrls } from '../http/urls.js'
import type { OrganizationRecord } from '../store/records.js'
import { notFound, page } from './answer.js'
import { moment } from './moments.js'
import type { PageRequest } from './page-context.js'
import { type Crumb, Links, RecordView } from './record.js'

export const organizationCrumbs = (webUrl: string, organization: OrganizationRecord): readonly Crumb[] => [
  { href: `${webUrl}/`, text: 'Organizations' },
  { href: `${webUrl}/${organization.slug}`, text: organization.name },
]

/** `/{org}`: its pipelines and suites. */
export function organization(c: PageRequest, slug: string): Response {
  const { store, urls } = c.env.sandbox
  const record = store.state.find('organizationBySlug', slug)
  if (!record) return notFound(c, 'organization')
  const suites = [...store.state.values('suites')]
    .filter(({ organizationId }) => organizationId === record.id)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return page(
    c,
    { title: record.name },
    <RecordView
      crumbs={organizationCrumbs(urls.webUrl, record).slice(0, 1)}
      title={record.name}
      facts={[
        { name: 'Slug', value: <code>{record.slug}</code> },
        { name: 'Token exchange', value: record.tokenExchangeEnabled ? 'enabled' : 'not enabled' },
        { name: 'Created', value: moment(record.created_at) },
      ]}
    >
      <Links
        title="Pipelines"
        none="No pipeline yet."
        links={store.state.pipelines(record.id).map(({ slug: pipeline, name, repository }) => ({
          href: recordUrls(urls).pipelineWeb(record.slug, pipeline),
          text: name,
          sub: repository,
        }))}
      />
      <Links
        title="Test suites"
        none="No test suite yet."
        links={suites.map(({ slug: suite, name }) => ({
          href: `${urls.webUrl}/organizations/${record.slug}/analytics/suites/${suite}`,
          text: name,
          sub: suite,
        }))}
      />
    </RecordView>,
  )
}
