/** @jsxImportSource hono/jsx */
import { recordUrls } from '../http/urls.js'
import { notFound, page } from './answer.js'
import { organizationCrumbs } from './organization.js'
import type { PageRequest } from './page-context.js'
import { type Fact, Links, RecordView } from './record.js'

/** `/organizations/{org}/analytics/suites/{suite}`: its test records. */
export function suite(c: PageRequest, org: string, slug: string): Response {
  const { store, urls } = c.env.sandbox
  const organization = store.state.find('organizationBySlug', org)
  const record = organization && store.state.find('suiteBySlug', organization.id, slug)
  if (!organization || !record) return notFound(c, 'test suite')
  return page(
    c,
    { title: record.name },
    <RecordView
      crumbs={organizationCrumbs(urls.webUrl, organization)}
      title={record.name}
      facts={[{ name: 'Slug', value: <code>{record.slug}</code> }]}
    >
      <Links
        title="Tests"
        none="No test recorded yet."
        links={store.state.tests(record.id).map(({ id, scope, name, location, labels }) => ({
          href: recordUrls(urls).testWeb(org, slug, id),
          text: scope === '' ? name : `${scope} › ${name}`,
          sub: location ?? undefined,
          aside: labels.length > 0 ? <Labels labels={labels} /> : undefined,
        }))}
      />
    </RecordView>,
  )
}

const Labels = ({ labels }: { readonly labels: readonly string[] }) => (
  <span class="tags">
    {labels.map((label) => (
      <span class="tag">{label}</span>
    ))}
  </span>
)

/** `…/tests/{id}`: one test record. */
export function test(c: PageRequest, org: string, slug: string, id: string): Response {
  const { store, urls } = c.env.sandbox
  const organization = store.state.find('organizationBySlug', org)
  const owner = organization && store.state.find('suiteBySlug', organization.id, slug)
  const record = store.state.get('tests', id.toLowerCase())
  if (!organization || !owner || record?.suiteId !== owner.id) return notFound(c, 'test')
  const facts: Fact[] = [
    { name: 'Scope', value: record.scope === '' ? 'none' : record.scope },
    { name: 'Location', value: record.location === null ? 'unknown' : <code>{record.location}</code> },
    { name: 'Labels', value: record.labels.length === 0 ? 'none' : <Labels labels={record.labels} /> },
    { name: 'Id', value: <code>{record.id}</code> },
  ]
  const crumbs = [
    ...organizationCrumbs(urls.webUrl, organization),
    { href: `${urls.webUrl}/organizations/${org}/analytics/suites/${slug}`, text: owner.name },
  ]
  return page(c, { title: record.name }, <RecordView crumbs={crumbs} title={record.name} facts={facts} />)
}
