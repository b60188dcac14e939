import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { present } from '../http/present.js'
import { organizationsOf } from '../http/resource.js'
import { list, route } from '../request/route.js'

export const organizationHandlers = {
  'organizations.list': list('organizations.list', {
    records: (_place, context) => organizationsOf(context),
    show: (show, organization) => show.organization(organization),
    filters: {},
  }),

  'organizations.get': route('organizations.get', ({ place }, { sandbox, caller }) =>
    accept({ body: present(sandbox, caller).organization(place.organization) }),
  ),
} satisfies Partial<Handlers>
