import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { answerList } from '../http/list.js'
import { present } from '../http/present.js'
import { findOrganization, organizationsOf } from '../http/resource.js'

export const organizationHandlers = {
  'organizations.list': (_path, context) => {
    const show = present(context.sandbox, context.caller)
    const url = `${context.sandbox.urls.baseUrl}/v2/organizations`
    return answerList(context, organizationsOf(context), url, show.organization)
  },

  'organizations.get': (path, context) => {
    const organization = findOrganization(context, path)
    if (!organization.ok) return organization
    return accept({ body: present(context.sandbox, context.caller).organization(organization.value) })
  },
} satisfies Partial<Handlers>
