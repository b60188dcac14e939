/** @jsxImportSource hono/jsx */
import { notFound, page } from './answer.js'
import { moment } from './moments.js'
import { organizationCrumbs } from './organization.js'
import type { PageRequest } from './page-context.js'
import { RecordView } from './record.js'

/** `/organizations/{org}/agents/{id}` */
export function agent(c: PageRequest, org: string, id: string): Response {
  const { store, urls } = c.env.sandbox
  const organization = store.state.find('organizationBySlug', org)
  const record = store.state.get('agents', id.toLowerCase())
  if (!organization || record?.organizationId !== organization.id) return notFound(c, 'agent')
  return page(
    c,
    { title: record.name },
    <RecordView
      crumbs={organizationCrumbs(urls.webUrl, organization)}
      title={record.name}
      facts={[
        { name: 'Connection', value: record.connection_state },
        { name: 'Host', value: <code>{record.hostname}</code> },
        { name: 'Address', value: record.ip_address ?? 'unknown' },
        { name: 'Software', value: record.user_agent },
        { name: 'Connected', value: moment(record.created_at) },
      ]}
    />,
  )
}
