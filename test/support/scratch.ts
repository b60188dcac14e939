import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of one's own, which goes with the block that holds it. */
export async function scratch(name = 'bw') {
  const path = await mkdtemp(join(tmpdir(), `${name}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
