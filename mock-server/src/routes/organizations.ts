import { accept } from '../domain/decision.js'
import { present } from '../present/present.js'
import type { Handlers } from '../request/context.js'
import { organizationsOf } from '../request/resource.js'
import { list, route } from './route.js'

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
