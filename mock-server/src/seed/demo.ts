import { readFile } from 'node:fs/promises'
import type { PreparedBuilds } from './prepared.js'

interface DemoSeed {
  readonly document: unknown
  readonly builds: PreparedBuilds
}

/** The seed `demo`, with its builds as they were when the package was built. */
export async function demoSeed(): Promise<DemoSeed> {
  return JSON.parse(await readFile(new URL('../../dist/demo.json', import.meta.url), 'utf8'))
}
