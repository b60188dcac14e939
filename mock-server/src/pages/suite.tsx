/** @jsxImportSource hono/jsx */
import { recordUrls } from '../present/urls.js'
import { notFound, recordPage } from './answer.js'
import { named, type PageRequest } from './page-context.js'
import { Links } from './record.js'

/** `/organizations/{org}/analytics/suites/{suite}`: its test records. */
export function suite(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const { organization, suite: record, crumbs } = named(c)
  if (!organization || !record) return notFound(c, 'test suite')
  const links = store.state.list('tests', record.id).map(({ id, scope, name, location, labels }) => ({
    href: recordUrls(urls).testWeb(organization.slug, record.slug, id),
    text: scope === '' ? name : `${scope} › ${name}`,
    sub: location ?? undefined,
    aside: labels.length > 0 ? <Labels labels={labels} /> : undefined,
  }))
  return recordPage(
    c,
    { crumbs, title: record.name, facts: [{ name: 'Slug', value: <code>{record.slug}</code> }] },
    <Links title="Tests" none="No test recorded yet." links={links} />,
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
export function test(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const { organization, suite: owner, crumbs, id } = named(c)
  const record = store.state.get('tests', id)
  if (!organization || !owner || record?.suiteId !== owner.id) return notFound(c, 'test')
  return recordPage(c, {
    crumbs: [...crumbs, { href: recordUrls(urls).suiteWeb(organization.slug, owner.slug), text: owner.name }],
    title: record.name,
    facts: [
      { name: 'Scope', value: record.scope === '' ? 'none' : record.scope },
      { name: 'Location', value: record.location === null ? 'unknown' : <code>{record.location}</code> },
      { name: 'Labels', value: record.labels.length === 0 ? 'none' : <Labels labels={record.labels} /> },
      { name: 'Id', value: <code>{record.id}</code> },
    ],
  })
}
