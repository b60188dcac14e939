/**
 * `npm run test:all [-- --second] [--report FOLDER] [vitest arguments]`: runs every test, then the
 * unit and conformance tests on a second line of Node. `--second` leaves out the first tier.
 * `--report` writes vitest's reports as JSON.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const second = args.includes('--second')
const at = args.indexOf('--report')
const folder = at === -1 ? undefined : args.splice(at, 2)[1]
const rest = args.filter((arg) => arg !== '--second')

const report = (name) =>
  folder === undefined
    ? []
    : ['--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, name)}.json`]

/** Runs a program of the tree; returns whether it succeeded. */
function passes(program, words, env) {
  const { status, error } = spawnSync(process.execPath, [join(root, program), ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (error) throw error
  return status === 0
}

const here = passes('node_modules/vitest/vitest.mjs', ['run', ...report('second'), ...rest], {
  BUILDWIRE_TESTS: second ? 'second' : 'all',
})
const there = passes('test/support/node-line.js', ['24', ...report('node'), ...rest])
process.exitCode = here && there ? 0 : 1
