import { accept } from '../domain/decision.js'
import type { Handlers } from '../request/exchange.js'
import { organizationsOf } from '../request/resource.js'
import { list, route } from './route.js'

export const organizationHandlers = {
  'organizations.list': list('organizations.list', {
    records: (_place, context) => organizationsOf(context),
    show: (show, organization) => show.organization(organization),
    filters: {},
  }),

  'organizations.get': route('organizations.get', ({ place, show }) =>
    accept({ body: show.organization(place.organization) }),
  ),
} satisfies Partial<Handlers>
