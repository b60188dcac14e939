/**
 * Removes what an earlier build made from sources that no longer exist: `tsc` leaves it in `dist`,
 * and it would become part of a package.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const outputs = {
  'sdk/dist/': 'sdk/src/',
  'mock-server/dist/': 'mock-server/src/',
  'cli/dist/types/': 'cli/src/',
}

/** Folders that the bundlers empty before they write. */
const bundled = /^(?:cjs|bundle)[/\\]/

for (const [output, source] of Object.entries(outputs)) {
  if (!existsSync(root + output)) continue
  for (const name of readdirSync(root + output, { recursive: true, encoding: 'utf8' })) {
    const [, stem] = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(name) ?? []
    if (stem === undefined || bundled.test(name)) continue
    const hasSource = ['.ts', '.tsx'].some((end) => existsSync(root + source + stem + end))
    if (!hasSource) rmSync(root + output + name)
  }
}
