import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { State } from '../../mock-server/src/store/state.js'
import type { Change } from '../../mock-server/src/store/store.js'
import { aBuild, aUser } from '../support/records.js'

const ids = ['b1', 'b2', 'b3', 'b4']
const branches = ['main', 'dev', 'release/1']
const commits = ['c1', 'c2']
const creators = ['u1', 'u2']
const pairs = ['k\0v', 'k\0w']
const emails = ['a@acme.example', 'b@acme.example']

const build = fc
  .record({
    id: fc.constantFrom(...ids),
    pipelineId: fc.constantFrom('p1', 'p2'),
    number: fc.integer({ min: 1, max: 5 }),
    branch: fc.constantFrom(...branches),
    commit: fc.constantFrom(...commits),
    creatorId: fc.option(fc.constantFrom(...creators)),
    meta_data: fc.constantFrom({}, { k: 'v' }, { k: 'w' }),
  })
  .map((fields): Change => ({ collection: 'builds', id: fields.id, record: aBuild(fields) }))
const gone = fc.constantFrom(...ids).map((id): Change => ({ collection: 'builds', id, record: null }))
const user = fc
  .record({ id: fc.constantFrom('u1', 'u2'), email: fc.constantFrom(...emails) })
  .map((fields): Change => ({ collection: 'users', id: fields.id, record: aUser(fields) }))
const step = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(build, gone, user).map((change) => ({ kind: 'write', change }) as const) },
  { weight: 2, arbitrary: fc.nat(5).map((question) => ({ kind: 'ask', question }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fork' } as const) },
)

/** Each makes other indexes. */
const questions: readonly ((state: State) => unknown)[] = [
  (state) => ['p1', 'p2'].map((id) => branches.map((value) => state.builds(id).run('branch', value))),
  (state) => ['p1', 'p2'].map((id) => commits.map((value) => state.builds(id).run('commit', value))),
  (state) => ['p1', 'p2'].map((id) => creators.map((value) => state.builds(id).run('creator', value))),
  (state) => ['p1', 'p2'].map((id) => pairs.map((value) => state.builds(id).run('meta_data', value))),
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
  collection !== 'users' || [...state.values('users')].every((user) => user.id === id || user.email !== record?.email)

describe('indexes of a state', () => {
  it('say the same whenever they were made: before a write, after it, or in what was forked', () => {
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
            state = state.fork()
          }
        }
        expect(answers(state)).toEqual(answers(afresh(state)))
        for (const { state: parent, said } of left) expect(answers(parent)).toEqual(said)
      }),
      { numRuns: 300 },
    )
  })
})
