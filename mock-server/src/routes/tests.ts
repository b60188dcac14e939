import { accept, refuse } from '../domain/decision.js'
import { changeLabels, labelsMatcher } from '../domain/test-labels.js'
import { asText, bodyReader, required, requiredText } from '../http/read-body.js'
import type { TestRecordRecord } from '../records/records.js'
import type { Handlers } from '../request/exchange.js'
import { list, route, withBody } from './route.js'

const readFindTest = bodyReader('tests.find', { scope: required(asText), name: requiredText })

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const readLabelChange = bodyReader('tests.changeLabels', {
  operator: required((value) => (value === 'add' || value === 'remove' ? value : undefined)),
  labels: required((value) => (Array.isArray(value) && value.every(isLabel) ? value : undefined)),
})

export const testHandlers = {
  'tests.list': list('tests.list', {
    records: ({ suite }, { sandbox }) => sandbox.store.state.list('tests', suite.id),
    show: (show, test) => show.test(test),
    filters: {
      label: (labels) => (test: TestRecordRecord) =>
        labels.some((label) => test.labels.includes(label)),
      labels: (condition) => {
        const matches = labelsMatcher(condition)
        return (test: TestRecordRecord) => matches(test.labels)
      },
    },
  }),

  'tests.get': route('tests.get', ({ place, show }) => accept({ body: show.test(place.test) })),

  'tests.find': withBody('tests.find', readFindTest, ({ place, body, show }, { sandbox }) => {
    const test = sandbox.store.state.find('testByName', place.suite.id, body.scope, body.name)
    return test ? accept({ body: show.test(test) }) : refuse('not_found', 'No test found')
  }),

  'tests.changeLabels': withBody(
    'tests.changeLabels',
    readLabelChange,
    async ({ place, body, show }, { sandbox }) => {
      const changed = await sandbox.store.update((tx) => {
        const test = tx.state.get('tests', place.test.id)
        if (test === undefined) return undefined
        const labels = changeLabels(test.labels, body)
        const next = { ...test, labels }
        if (labels.length !== test.labels.length) tx.put('tests', next)
        return next
      })
      if (changed === undefined) return refuse('not_found', 'No test found')
      return accept({ body: show.test(changed, { labels: true }) })
    },
  ),
} satisfies Partial<Handlers>
