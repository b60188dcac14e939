import { drawToken } from '../grants/mint.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { SeedContext } from '../seed/context.js'

/** What a document draws on when it is applied to a sandbox that runs. */
export const seedContextOf = ({ clock, ids, settings }: Generation): SeedContext => ({
  now: clock.now(),
  uuid: (noun) => ids.uuid(noun),
  dice: (stream, n) => ids.dice(stream, n),
  accessToken: () => drawToken({ ids, settings }, 'access'),
  clientSecret: () => ids.secret(43),
})
