import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededIds } from '../../mock-server/src/base/ids.js'
import { createCommitter } from '../../mock-server/src/store/committer.js'
import { lowdbMemory } from '../../mock-server/src/store/lowdb.js'
import { MemoryStore } from '../../mock-server/src/store/memory-store.js'
import { memoryStore, putInto } from '../../mock-server/src/store/open-store.js'
import type { Persistence } from '../../mock-server/src/store/persistence.js'
import { State } from '../../mock-server/src/store/state.js'
import type { Change } from '../../mock-server/src/store/store.js'
import { aBuild, aUser } from '../support/records.js'

describe('store', () => {
  it('reads its own writes in a turn, and undoes them all if the turn throws', async () => {
    const store = memoryStore(new State())
    await expect(
      store.update((tx) => {
        tx.put('users', aUser({ id: 'u1', email: 'Robin@acme.example' }))
        expect(tx.state.find('userByEmail', 'robin@ACME.example')?.id).toBe('u1')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(store.state.count('users')).toBe(0)
    expect(store.state.find('userByEmail', 'robin@acme.example')).toBeUndefined()
  })

  it('refuses an asynchronous change', async () => {
    const store = memoryStore(new State())
    const change = (async () => undefined) as unknown as () => never
    await expect(store.update(change)).rejects.toThrow(TypeError)
  })

  it('gives each build number once, also after builds of a seed', async () => {
    const state = new State()
    putInto(state, 'builds', aBuild({ id: 'b7', pipelineId: 'p1', number: 7 }))
    const store = memoryStore(state)
    expect(await store.update((tx) => tx.nextNumber('p1'))).toBe(8)
    expect(await store.update((tx) => tx.nextNumber('p1'))).toBe(9)
    expect(await store.update((tx) => tx.nextNumber('p2'))).toBe(1)
  })

  it('stores all changes that arrive during a batch as the next batch', async () => {
    const batches: (readonly Change[])[] = []
    const persistence: Persistence = {
      ...lowdbMemory(),
      commit: async (changes) => void batches.push(changes),
    }
    const store = new MemoryStore(new State(), createCommitter(persistence))
    const names = ['u1', 'u2', 'u3', 'u4']
    await Promise.all(
      names.map((id) =>
        store.update((tx) => tx.put('users', aUser({ id, email: `${id}@acme.example` }))),
      ),
    )
    expect(batches.flat().map((change) => change.id)).toEqual(names)
    expect(batches.length).toBeLessThan(names.length)
  })

  it('undoes a failed batch newest first, and refuses writes until an empty commit works', async () => {
    let broken = true
    const persistence: Persistence = {
      ...lowdbMemory(),
      commit: async () => {
        if (broken) throw new Error('ENOSPC')
      },
    }
    let wake: () => void = () => undefined
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      sleep: () => new Promise<void>((resolve) => (wake = resolve)),
    }
    const committer = createCommitter(persistence, clock)
    const store = new MemoryStore(new State(), committer)
    const first = store.update((tx) => tx.put('users', aUser({ id: 'u1', name: 'first' })))
    const second = store.update((tx) => tx.put('users', aUser({ id: 'u1', name: 'second' })))
    await expect(first).rejects.toMatchObject({ code: 'unavailable' })
    await expect(second).rejects.toMatchObject({ code: 'unavailable' })
    expect(store.state.count('users')).toBe(0)
    await expect(store.update((tx) => tx.nextNumber('p1'))).rejects.toMatchObject({
      code: 'unavailable',
    })
    broken = false
    const recovered = new Promise<void>((resolve) =>
      committer.onReadOnly((reason) => reason ?? resolve()),
    )
    wake()
    await recovered
    await store.update((tx) => tx.put('users', aUser({ id: 'u2' })))
    expect(store.state.count('users')).toBe(1)
  })

  it('keeps id counters in the state, so that a restored state repeats no id', async () => {
    const state = new State()
    const ids = seededIds(1, state.counters)
    const first = ids.uuid('build')
    const store = memoryStore(state)
    await store.update((tx) => tx.put('users', aUser({ id: 'u1' })))
    const copy = new State()
    for (const record of store.state.values('meta')) putInto(copy, 'meta', record)
    expect(seededIds(1, copy.counters).uuid('build')).not.toBe(first)
    expect(seededIds(1, copy.counters).uuid('build')).not.toBe(
      seededIds(2, copy.counters).uuid('build'),
    )
  })
})

const ids = ['b1', 'b2', 'b3', 'b4']
const branches = ['main', 'dev', 'release/1']
const commits = ['c1', 'c2']
const creators = ['u1', 'u2']
const pairs = ['k\0v', 'k\0w']
const emails = ['a@acme.example', 'b@acme.example', 'c@acme.example', 'd@acme.example']

const build = fc
  .record({
    id: fc.constantFrom(...ids),
    pipelineId: fc.constantFrom('p1', 'p2'),
    number: fc.integer({ min: 1, max: 5 }),
    state: fc.constantFrom('scheduled', 'running', 'passed'),
    created_at: fc.constantFrom('2026-03-01T09:00:01.000Z', '2026-03-01T09:00:02.000Z'),
    branch: fc.constantFrom(...branches),
    commit: fc.constantFrom(...commits),
    creatorId: fc.option(fc.constantFrom(...creators)),
    meta_data: fc.constantFrom({}, { k: 'v' }, { k: 'w' }),
  })
  .map((fields): Change => ({ collection: 'builds', id: fields.id, record: aBuild(fields) }))
const gone = fc
  .constantFrom(...ids)
  .map((id): Change => ({ collection: 'builds', id, record: null }))
const user = fc
  .record({ id: fc.constantFrom('u1', 'u2'), email: fc.constantFrom(...emails) })
  .map((fields): Change => ({ collection: 'users', id: fields.id, record: aUser(fields) }))
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(build, gone, user).map((change) => ({ kind: 'write', change }) as const),
  },
  { weight: 2, arbitrary: fc.nat(6).map((question) => ({ kind: 'ask', question }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fork' } as const) },
)

/** Each makes other indexes. */
const questions: readonly ((state: State) => unknown)[] = [
  (state) => ['p1', 'p2', 'o1'].map((id) => [state.builds(id).all, { ...state.builds(id).counts }]),
  (state) =>
    ['p1', 'p2'].map((id) => branches.map((value) => state.builds(id).run('branch', value))),
  (state) =>
    ['p1', 'p2'].map((id) => commits.map((value) => state.builds(id).run('commit', value))),
  (state) =>
    ['p1', 'p2'].map((id) => creators.map((value) => state.builds(id).run('creator', value))),
  (state) =>
    ['p1', 'p2'].map((id) => pairs.map((value) => state.builds(id).run('meta_data', value))),
  (state) => ['p1', 'p2'].map((id) => [...state.builds(id).values('branch')].sort()),
  (state) => emails.map((email) => state.find('userByEmail', email)?.id),
]

const answers = (state: State) => questions.map((question) => question(state))

/** The same records in a state of its own, which was never asked anything. */
const afresh = (state: State): State => {
  const fresh = new State()
  for (const collection of ['users', 'builds'] as const) {
    for (const record of state.values(collection)) {
      fresh.write({ collection, id: record.id, record } as Change)
    }
  }
  return fresh
}

/** Natural keys are unique by the rules of whoever writes; the index relies on it. */
const keepsKeys = (state: State, { collection, id, record }: Change): boolean =>
  collection !== 'users' ||
  [...state.values('users')].every((user) => user.id === id || user.email !== record?.email)

describe('indexes of a state', () => {
  it('give the same results if they were made before a write, after it, or in a copy', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = new State()
        const left: { readonly state: State; readonly said: unknown }[] = []
        for (const done of steps) {
          if (done.kind === 'write') {
            if (keepsKeys(state, done.change)) state.write(done.change)
          } else if (done.kind === 'ask') questions[done.question]?.(state)
          else {
            left.push({ state, said: structuredClone(answers(afresh(state))) })
            state = new State(state)
          }
        }
        expect(answers(state)).toEqual(answers(afresh(state)))
        for (const { state: parent, said } of left) expect(answers(parent)).toEqual(said)
      }),
      { numRuns: 300 },
    )
  })
})
