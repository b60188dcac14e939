import { readFile } from 'node:fs/promises'

/** The document of the seed `demo`. The bundle contains it. */
export async function demoDocument(): Promise<unknown> {
  return JSON.parse(await readFile(new URL('../../dist/demo.json', import.meta.url), 'utf8'))
}
