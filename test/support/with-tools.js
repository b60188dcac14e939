/**
 * `with-tools.js FOLDER… -- COMMAND…`: runs a command with the tools that are installed in these
 * folders. Large tools that only one script needs have a package.json and a lock file in their own
 * folder, so that `npm ci` of the tree installs little. This script installs what is missing, the
 * tree itself included, and installs it again after the lock file has changed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const end = process.argv.indexOf('--')
const folders = process.argv.slice(2, end).map((folder) => join(root, folder))
const [command, ...args] = process.argv.slice(end + 1)
const isWindows = process.platform === 'win32'

/** The file that says last that a package is built. */
const built = ['sdk/dist/openapi.json', 'mock-server/dist/index.js', 'cli/dist/main.js']

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Buildwire needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}

/** npm writes its own copy of the lock file at the end of an installation. */
function isInstalled(folder) {
  const copy = join(folder, 'node_modules', '.package-lock.json')
  return (
    existsSync(copy) &&
    statSync(copy).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  )
}

/** Runs npm; its output is shown only if it fails. A shell finds npm on Windows too. */
function npm(folder, ...words) {
  const { status, error, stdout, stderr } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  })
  if (error) throw error
  if (status === 0) return
  console.error(`${stdout}${stderr}`.trim())
  console.error(`npm ${words.join(' ')} failed in ${folder}`)
  process.exit(status ?? 1)
}

// The path is relative, because a shell would split a path with spaces.
const install = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', '.']

if (!isInstalled(root)) {
  console.error('Installing and building this clone; it takes about a minute.')
  npm(root, ...install)
} else if (built.some((path) => !existsSync(join(root, path)))) {
  console.error('Building the packages; it takes about twenty seconds.')
  npm(root, 'run', 'build')
}
for (const folder of folders) {
  if (isInstalled(folder)) continue
  console.error(`Installing the tools of ${folder.slice(root.length)}.`)
  npm(folder, ...install)
}

// The tools of the tree come first: a folder may contain an older compiler for its own use.
const bins = [root, ...folders].map((folder) => join(folder, 'node_modules', '.bin'))
// A folder may contain another Node, which only its own script starts.
const program = command === 'node' && !isWindows ? process.execPath : command
const { status, error } = spawnSync(program, args, {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) },
  shell: isWindows,
})
if (error) throw error
process.exitCode = status ?? 1
