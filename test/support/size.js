/**
 * `npm run size [-- --since REVISION]`: prints the size of the sources. The weight of a package is
 * its source without types, comments and white space, so that the format does not change it. Prints
 * weight, lines and growth since the last release (or REVISION), then the folders and the long
 * files. It fails for nothing, except with `--check`: then it only checks that no file is too long.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { transform } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Files above the first number of lines are listed; `--check` fails for files above the second. */
const comfortable = 250
const tooLong = 400

const { values } = parseArgs({ options: { since: { type: 'string' }, check: { type: 'boolean' } } })

function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/**
 * The part of the tree that a file belongs to, or undefined if it is not counted: generated code,
 * data, tools.
 */
function partOf(path) {
  if (!/\.(ts|tsx|js|mjs)$/.test(path) || path.endsWith('.gen.ts')) return undefined
  if (/^test\/(corpus|prove\/zoo)\//.test(path)) return 'corpora'
  return (
    /^(sdk|mock-server|cli)\/src\//.exec(path)?.[1] ??
    (path.startsWith('test/') ? 'test' : undefined)
  )
}

/** The bytes of the code without types, comments and white space. */
async function weigh(path, text) {
  const extension = path.split('.').pop()
  const loader = extension === 'mjs' ? 'js' : extension
  const { code } = await transform(text, {
    loader,
    minifyWhitespace: true,
    legalComments: 'none',
    jsx: 'preserve',
  })
  return Buffer.byteLength(code)
}

/** Reads and weighs the source files in `folder`, which is the tree or an unpacked revision. */
function measure(folder, paths) {
  const sources = paths.filter(
    (path) => partOf(path) !== undefined && existsSync(join(folder, path)),
  )
  return Promise.all(
    sources.map(async (path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const lines = text.split('\n').length - 1
      return { path, part: partOf(path), lines, weight: values.check ? 0 : await weigh(path, text) }
    }),
  )
}

async function measureRevision(revision) {
  const folder = mkdtempSync(join(tmpdir(), 'buildwire-size-'))
  try {
    const packed = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: packed })
    return await measure(folder, git('ls-tree', '-r', '--name-only', revision).trim().split('\n'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lastRelease() {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim()
  } catch {
    return undefined
  }
}

function sum(files, field) {
  return files.reduce((total, file) => total + file[field], 0)
}

function groupBy(files, key) {
  const groups = new Map()
  for (const file of files) groups.set(key(file), [...(groups.get(key(file)) ?? []), file])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

function column(value) {
  return value.toLocaleString('en').padStart(9)
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`.padStart(9)
}

function signed(text) {
  const bare = text.trim()
  return (bare.startsWith('-') ? bare : `+${bare}`).padStart(9)
}

/** The folder of a source file inside its package, or inside `test`. */
function folderOf({ path }) {
  const inner = path.replace(/^(test|[^/]+\/src)\//, '').split('/')
  return inner.length > 1 ? inner[0] : '(top)'
}

/** Bytes of the JavaScript in the SDK's package: its ES modules, and what `require` loads. */
function packedBytes() {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const options = { cwd: `${root}sdk`, encoding: 'utf8', shell: process.platform === 'win32' }
  const [packed] = Object.values(JSON.parse(execFileSync('npm', words, options)))
  const scripts = packed.files.filter(({ path }) => path.endsWith('.js'))
  const commonJs = scripts.filter(({ path }) => path.startsWith('dist/cjs/'))
  return { modules: sum(scripts, 'size') - sum(commonJs, 'size'), commonJs: sum(commonJs, 'size') }
}

function print(files, before, since) {
  console.log(
    `${'weight'.padStart(9)}${'lines'.padStart(9)}${since ? `   growth since ${since}` : ''}`,
  )
  for (const [part, inside] of groupBy(files, (file) => file.part)) {
    const earlier = before?.filter((file) => file.part === part)
    const growth =
      earlier === undefined
        ? ''
        : signed(kilobytes(sum(inside, 'weight') - sum(earlier, 'weight'))) +
          signed(column(sum(inside, 'lines') - sum(earlier, 'lines')))
    console.log(
      `${kilobytes(sum(inside, 'weight'))}${column(sum(inside, 'lines'))}${growth}  ${part}`,
    )
    if (part === 'corpora') continue
    for (const [folder, some] of groupBy(inside, folderOf))
      console.log(`${kilobytes(sum(some, 'weight'))}${column(sum(some, 'lines'))}    ${folder}`)
  }
  const { modules, commonJs } = packedBytes()
  console.log(`${kilobytes(modules)}           ES modules in the packed SDK`)
  console.log(`${kilobytes(commonJs)}           CommonJS in the packed SDK`)
}

const here = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
const files = await measure(root, here)

if (!values.check) {
  const since = values.since ?? lastRelease()
  print(files, since === undefined ? undefined : await measureRevision(since), since)
}

const byLength = files.sort((a, b) => b.lines - a.lines)
/** Cases of a corpus are data that people look up, not code that they read. */
const code = byLength.filter(({ part }) => part !== 'corpora')
const long = code.filter(({ lines }) => lines > (values.check ? tooLong : comfortable))
if (!values.check) console.log(`\n${long.length} files are longer than ${comfortable} lines:`)
for (const { path, lines } of long) console.log(`${column(lines)}  ${path}`)
if (values.check && long.length > 0) {
  console.log(`A file may have ${tooLong} lines.`)
  process.exitCode = 1
}
