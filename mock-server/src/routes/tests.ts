import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { answerList } from '../http/list.js'
import { present } from '../http/present.js'
import { readList } from '../http/query.js'
import { findSuite, findTest } from '../http/resource.js'

export const testReadHandlers = {
  'tests.list': (path, context) => {
    const place = findSuite(context, path)
    if (!place.ok) return place
    const labels = readList(context.query, 'label')
    const show = present(context.sandbox, context.caller)
    const { organization, suite } = place.value
    const tests = show.state
      .tests(suite.id)
      .filter((test) => labels.length === 0 || labels.some((label) => test.labels.includes(label)))
    const url = `${context.sandbox.urls.baseUrl}/v2/analytics/organizations/${organization.slug}/suites/${suite.slug}/tests`
    return answerList(context, tests, url, (test) => show.test(test))
  },

  'tests.get': (path, context) => {
    const place = findTest(context, path)
    if (!place.ok) return place
    return accept({ body: present(context.sandbox, context.caller).test(place.value.test) })
  },
} satisfies Partial<Handlers>
