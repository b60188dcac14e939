import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new temporary directory that is removed at the end of its block. */
export async function scratch(name = 'bw') {
  const path = await mkdtemp(join(tmpdir(), `${name}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
