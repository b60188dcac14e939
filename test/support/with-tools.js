/**
 * `with-tools.js FOLDER… -- COMMAND…`: runs a command with the tools that are installed in these
 * folders. Large tools that only one script needs have a package.json and a lock file in their own
 * folder, so that `npm ci` of the tree installs little. This script installs them if they are
 * missing or the lock file has changed.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const end = process.argv.indexOf('--')
const folders = process.argv.slice(2, end).map((folder) => join(root, folder))
const [command, ...args] = process.argv.slice(end + 1)

const text = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

/** Runs a program to its end and returns its exit code. A shell finds npm on Windows too. */
const run = (program, words, options = {}) => {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit', cwd: root, ...options })
  if (error) throw error
  return status ?? 1
}

for (const folder of folders) {
  const lock = text(join(folder, 'package-lock.json'))
  const installed = join(folder, 'node_modules', '.installed')
  if (text(installed) === lock) continue
  console.error(`installing the tools of ${folder.slice(root.length)}`)
  // The path is relative, because a shell would split a path with spaces.
  const status = run(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', '.'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) process.exit(status)
  writeFileSync(installed, lock)
}

// The tools of the tree come first: a folder may contain an older compiler for its own use.
const bins = [root, ...folders].map((folder) => join(folder, 'node_modules', '.bin'))
// A folder may contain another Node, which only its own script starts.
const program = command === 'node' && process.platform !== 'win32' ? process.execPath : command
process.exitCode = run(program, args, {
  env: { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) },
  shell: process.platform === 'win32',
})
