import { VirtualClock } from '../base/virtual-clock.js'
import { openSeed, type Seed } from '../seed/seed.js'
import { seedSchema } from '../seed/seed-document.js'
import { defaultSettings, type Settings } from '../seed/settings.js'
import { makeSeeded } from './seeded-state.js'

/** Loads a seed into a state that nobody sees: finds every fault that a start would find. @throws SeedError */
export async function checkSeed(seed: Seed, settings: Settings): Promise<void> {
  await makeSeeded({ seed, clock: new VirtualClock(), randomSeed: 1, settings })
}

/** What `seed check FILE` says of a sound file. @throws SeedError */
export async function checkSeedFile(file: string): Promise<string> {
  await checkSeed(await openSeed({ file }), defaultSettings)
  return `${file} is sound\n`
}

export const printSchema = (): string => `${JSON.stringify(seedSchema(), null, 2)}\n`
