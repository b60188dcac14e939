/** @jsxImportSource hono/jsx */
import { notFound, recordPage } from './answer.js'
import { moment } from './moments.js'
import { named, type PageRequest } from './page-context.js'

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
