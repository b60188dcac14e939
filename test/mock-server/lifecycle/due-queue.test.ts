import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueQueue } from '../../../mock-server/src/lifecycle/due-queue.js'

describe('the queue of due times', () => {
  it('gives the earliest first, equals in order of arrival, and forgets what changed', () => {
    const queue = new DueQueue()
    for (const [id, due] of [
      ['a', 5],
      ['b', 3],
      ['c', 3],
      ['d', 9],
      ['e', 1],
    ] as const)
      queue.set(id, due)
    queue.set('e', null)
    queue.set('d', 2)
    queue.set('b', 3)
    const order: string[] = []
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      order.push(first.id)
      queue.set(first.id, null)
    }
    expect(order).toEqual(['d', 'b', 'c', 'a'])
  })

  it('agrees with a sorted list, whatever is set in whatever order', () => {
    const change = fc.tuple(fc.nat(12), fc.option(fc.nat(20), { freq: 5 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        const queue = new DueQueue()
        const known = new Map<string, number>()
        for (const [id, due] of changes) {
          queue.set(`${id}`, due)
          if (due === null) known.delete(`${id}`)
          else known.set(`${id}`, due)
        }
        const times: number[] = []
        for (let first = queue.first(); first !== undefined; first = queue.first()) {
          expect(known.get(first.id)).toBe(first.at)
          times.push(first.at)
          queue.set(first.id, null)
        }
        expect(times).toEqual([...known.values()].sort((a, b) => a - b))
      }),
    )
  })
})
