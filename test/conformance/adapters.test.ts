import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adapterNames, type OpenTarget, openTarget } from './adapters.js'
import { rows } from './rows/index.js'
import { topicOf } from './sections.js'

describe.each(adapterNames)('the adapter %s', (adapter) => {
  let open: OpenTarget

  beforeAll(async () => {
    open = await openTarget(adapter)
  })
  afterAll(() => open.close())

  it.each(rows.map((row) => [row.id, row.title, row] as const))(
    '%s %s',
    async (_id, _title, row) => {
      await row.run(open.target)
    },
  )

  it('lacks no capability', () => {
    expect([...open.lacks]).toEqual([])
  })

  it('caused no internal error of the server', async () => {
    expect((await open.target.control?.info.get())?.internalErrors).toBe(0)
  })
})

it('each row has a unique id, and a section with a topic', () => {
  expect(rows.map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at)).toEqual([])
  expect(rows.filter(({ section }) => topicOf(section) === undefined).map(({ id }) => id)).toEqual(
    [],
  )
})
