/**
 * `npm run size [-- --check]`: how big the house is, per package and room: all lines of its sources and tests, blank ones
 * too, and the SDK's JavaScript as it is packed. With `--check` it says only what is above a ceiling, and fails.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = /\.(ts|tsx|js|mjs)$/
/** What holds today. The house aims for 43 000 lines of source and 43 000 of tests. */
const ceilings = {
  'hand-written source lines': 43_000,
  'generated source lines': 1_700,
  'test lines': 43_000,
  'kB of packed JavaScript in the SDK': 300,
}
const longest = 350

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
const files = listed
  .toString()
  .split('\0')
  .filter((path) => source.test(path) && existsSync(root + path))
  .map((path) => ({ path, lines: readFileSync(root + path, 'utf8').split('\n').length - 1 }))
const sum = (some) => some.reduce((total, { lines }) => total + lines, 0)
const generated = ({ path }) => path.endsWith('.gen.ts')
const packages = files.filter(({ path }) => /^(sdk|mock-server|cli)\/src\//.test(path))
const tests = files.filter(({ path }) => path.startsWith('test/'))
const written = packages.filter((file) => !generated(file))

/** Bytes of what `npm pack` takes of the SDK's JavaScript; a file of `dist` whose source is gone is no part of it. */
function packedBytes() {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const text = execFileSync('npm', words, { cwd: `${root}sdk`, encoding: 'utf8', shell: process.platform === 'win32' })
  const [packed] = Object.values(JSON.parse(text))
  const built = (path) => existsSync(`${root}sdk/${path.replace(/^dist\/(.*)\.js$/, 'src/$1.ts')}`)
  return packed.files
    .filter(({ path }) => path.endsWith('.js') && built(path))
    .reduce((total, { size }) => total + size, 0)
}

const figures = {
  'hand-written source lines': sum(written),
  'generated source lines': sum(packages.filter(generated)),
  'test lines': sum(tests),
  'kB of packed JavaScript in the SDK': Math.ceil(packedBytes() / 1000),
}
const long = [...written, ...tests].filter(({ lines }) => lines > longest).sort((a, b) => b.lines - a.lines)

const number = (value) => value.toLocaleString('en').padStart(8)
if (!process.argv.includes('--check')) {
  const rooms = new Map()
  for (const { path, lines } of [...written, ...tests]) {
    const [whole, ...parts] = path.split('/')
    const inner = whole === 'test' ? parts : parts.slice(1)
    const room = inner.length > 1 ? inner[0] : ''
    const inside = rooms.get(whole) ?? new Map()
    inside.set(room, (inside.get(room) ?? 0) + lines)
    rooms.set(whole, inside)
  }
  for (const [whole, inside] of rooms) {
    console.log(`${number([...inside.values()].reduce((a, b) => a + b))}  ${whole}`)
    for (const [room, lines] of [...inside].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.log(`${number(lines)}    ${room === '' ? '(top)' : room}`)
  }
  console.log('')
  for (const [what, value] of Object.entries(figures))
    console.log(`${number(value)}  ${what}, at most ${ceilings[what].toLocaleString('en')}`)
}

const over = Object.entries(figures).filter(([what, value]) => value > ceilings[what])
for (const [what, value] of over)
  console.log(`${number(value)}  ${what} are more than ${ceilings[what].toLocaleString('en')}`)
for (const { path, lines } of long) console.log(`${number(lines)}  lines in ${path}, at most ${longest} in a file`)
if (process.argv.includes('--check')) process.exitCode = over.length + long.length === 0 ? 0 : 1
