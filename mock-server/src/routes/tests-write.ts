import type { Handlers } from '../context.js'
import { accept, refuse } from '../domain/decision.js'
import { changeLabels } from '../domain/test-labels.js'
import { present } from '../http/present.js'
import { readFindTest, readLabelChange } from '../http/read-tests.js'
import { findSuite, findTest } from '../http/resource.js'

export const testWriteHandlers = {
  'tests.find': async (path, context) => {
    const place = findSuite(context, path)
    if (!place.ok) return place
    const body = await context.body()
    if (!body.ok) return body
    const wanted = readFindTest(body.value, context.sandbox)
    if (!wanted.ok) return wanted
    const { scope, name } = wanted.value
    const test = context.sandbox.store.state.find('testByName', place.value.suite.id, scope, name)
    if (test === undefined) return refuse('not_found', 'No test found')
    return accept({ body: present(context.sandbox, context.caller).test(test) })
  },

  'tests.changeLabels': async (path, context) => {
    const place = findTest(context, path)
    if (!place.ok) return place
    const body = await context.body()
    if (!body.ok) return body
    const change = readLabelChange(body.value, context.sandbox)
    if (!change.ok) return change
    const changed = await context.sandbox.store.update((tx) => {
      const test = tx.state.get('tests', place.value.test.id)
      if (test === undefined) return undefined
      const labels = changeLabels(test.labels, change.value)
      const next = { ...test, labels }
      if (labels.length !== test.labels.length) tx.put('tests', next)
      return next
    })
    if (changed === undefined) return refuse('not_found', 'No test found')
    return accept({ body: present(context.sandbox, context.caller).test(changed, { labels: true }) })
  },
} satisfies Partial<Handlers>
