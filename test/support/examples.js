/**
 * Runs every program of examples/ as a user does, one after another. Each must end with exit code
 * 0.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../examples', import.meta.url))
/** These programs need a running server; the others start their own. */
const beside = ['../cli/bin/run.js', 'server', 'exec', '--', process.execPath]
const programs = readdirSync(folder).filter((name) => /\.m?js$/.test(name) && name !== 'demo.js')

let failed = 0
for (const name of programs) {
  const test = /\btests?\.m?js$/.test(name) ? ['--test'] : []
  const place = name.startsWith('prove-') ? beside : []
  const run = spawnSync(process.execPath, [...place, ...test, name], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  })
  const ok = run.status === 0
  if (!ok) failed += 1
  console.log(`${ok ? '✓' : '✗'} ${name}`)
  console.log([run.stdout, ok ? '' : run.stderr].join('').trim().replaceAll(/^/gm, '    '))
}
console.log(`examples: ${programs.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
