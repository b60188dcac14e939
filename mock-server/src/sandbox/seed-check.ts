import { VirtualClock } from '../base/virtual-clock.js'
import { Authority } from '../request/authority.js'
import { openSeed, type Seed } from '../seed/seed.js'
import { seedSchema } from '../seed/seed-document.js'
import { defaultSettings, type Settings } from '../seed/settings.js'
import { Sandbox } from './sandbox.js'

/** Loads a seed into a sandbox that nobody sees: finds every fault that a start would find. @throws SeedError */
export async function checkSeed(seed: Seed, settings: Settings = defaultSettings): Promise<void> {
  const sandbox = await Sandbox.open({
    id: 'check',
    seed,
    clock: new VirtualClock(),
    randomSeed: 1,
    lifecycle: { policy: 'manual' },
    settings,
    authority: () => new Authority({}, 'http://seed.invalid'),
  })
  await sandbox.close()
}

/** What `seed check FILE` says of a sound file. @throws SeedError */
export async function checkSeedFile(file: string): Promise<string> {
  await checkSeed(await openSeed({ file }))
  return `${file} is sound\n`
}

export const printSchema = (): string => `${JSON.stringify(seedSchema(), null, 2)}\n`
