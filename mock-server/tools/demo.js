// Makes dist/demo.json of demo.yaml: a start reads JSON in a moment, YAML in many. The builds are
// played here, once, at a fixed moment.
import { readFileSync, writeFileSync } from 'node:fs'
import { seededIds } from '../dist/base/ids.js'
import { VirtualClock } from '../dist/base/virtual-clock.js'
import { fillSeed } from '../dist/sandbox/seeded-state.js'
import { parseSource } from '../dist/seed/document.js'
import { prepareBuilds } from '../dist/seed/prepared.js'
import { openSeed } from '../dist/seed/seed.js'
import { defaultSettings } from '../dist/seed/settings.js'
import { memoryStore } from '../dist/store/open-store.js'
import { State } from '../dist/store/state.js'

const { value: document, syntax } = parseSource(
  readFileSync(new URL('../demo.yaml', import.meta.url), 'utf8'),
)
if (syntax.length > 0) throw new Error(`demo.yaml: ${JSON.stringify(syntax)}`)

const clock = new VirtualClock({ now: '2026-11-27T14:28:11.000Z' })
const state = new State()
const ids = seededIds(1, state.counters)
// Applications and tokens are loaded after the builds, and each server draws its own tokens.
const { applications, accessTokens, grants, ...played } = document
const setup = { seed: await openSeed(played), clock, settings: defaultSettings, randomSeed: 1 }
await memoryStore(state).update((tx) => fillSeed(tx, setup, ids))
const builds = prepareBuilds(state, { now: clock.now(), dice: ids.dice })
writeFileSync(
  new URL('../dist/demo.json', import.meta.url),
  `${JSON.stringify({ document, builds })}\n`,
)
