import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doorNames, type OpenDoor, openDoor } from './doors.js'
import { rows } from './rows/index.js'

describe.each(doorNames)('door %s', (door) => {
  let open: OpenDoor

  beforeAll(async () => {
    open = await openDoor(door)
  })
  afterAll(() => open.close())

  it.each(rows.map((row) => [row.id, row.title, row] as const))('%s %s', async (_id, _title, row) => {
    await row.run(open.target)
  })

  it('met no bug of the server on the way', async () => {
    expect((await open.target.control?.info.get())?.internalErrors).toBe(0)
  })
})

it('gives each row an id of its own', () => {
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
})
