import { expect, it } from 'vitest'
import { type Ids, seededIds } from '../../mock-server/src/base/ids.js'
import { VirtualClock } from '../../mock-server/src/base/virtual-clock.js'
import { collections } from '../../mock-server/src/records/records.js'
import { fillSeed } from '../../mock-server/src/sandbox/seeded-state.js'
import { demoSeed } from '../../mock-server/src/seed/demo.js'
import { openSeed, type SeedOption } from '../../mock-server/src/seed/seed.js'
import { defaultSettings } from '../../mock-server/src/seed/settings.js'
import { memoryStore } from '../../mock-server/src/store/open-store.js'
import { State } from '../../mock-server/src/store/state.js'

const { document, builds } = await demoSeed()
const day = 86_400_000

function count(): () => number {
  let counted = 0
  return () => {
    counted += 1
    return counted
  }
}

/** A state with a seed, whose secrets are numbered instead of drawn. */
async function stateWith(
  option: SeedOption,
  now = builds.preparedAt,
  more: Partial<Ids> = {},
  randomSeed = 1,
): Promise<State> {
  const state = new State()
  const secrets = count()
  const secret = (length: number) => String(secrets()).padStart(length, '0')
  const ids = { ...seededIds(randomSeed, state.counters), secret, ...more }
  const clock = new VirtualClock({ now: new Date(now).toISOString() })
  const setup = { seed: await openSeed(option), clock, settings: defaultSettings, randomSeed }
  await memoryStore(state).update((tx) => fillSeed(tx, setup, ids))
  return state
}

const firstId = (state: State): string | undefined => [...state.values('builds')][0]?.id
const playedDemo = document as SeedOption

it('the prepared builds of the demo are those that playing it makes', async () => {
  const prepared = await stateWith('demo')
  const played = await stateWith(playedDemo)
  expect(prepared.count('builds')).toBe(320)
  for (const collection of collections)
    expect([...prepared.values(collection)], collection).toEqual([...played.values(collection)])
  expect([...prepared.counters.entries()]).toEqual([...played.counters.entries()])
})

it('a demo that is loaded later has the same builds, each as much later', async () => {
  const before = [...(await stateWith('demo')).values('builds')]
  const after = [...(await stateWith('demo', builds.preparedAt + day)).values('builds')]
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  for (const [n, build] of after.entries()) {
    const was = before[n]
    expect(Date.parse(build.created_at) - Date.parse(was?.created_at ?? '')).toBe(day)
    expect(
      build.jobs.map(({ finished_at }) => finished_at && Date.parse(finished_at) - day),
    ).toEqual(was?.jobs.map(({ finished_at }) => finished_at && Date.parse(finished_at)))
  }
})

it('another random seed, other ids or other dice play the demo', async () => {
  const usual = firstId(await stateWith('demo'))
  const other = await stateWith('demo', undefined, {}, 2)
  expect(firstId(other)).not.toBe(usual)
  expect(other.count('builds')).toBe(320)

  const made = count()
  const uuid = (noun: string) => `${noun}-${made()}`
  expect(firstId(await stateWith('demo', undefined, { uuid }))).toMatch(/^build-\d+$/)

  const alwaysLow = await stateWith('demo', undefined, { dice: () => 0 })
  const lowPlayed = await stateWith(playedDemo, undefined, { dice: () => 0 })
  expect([...alwaysLow.values('builds')]).toEqual([...lowPlayed.values('builds')])
})
