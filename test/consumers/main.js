/**
 * `npm run consumers [NAME…]`: tries the packed packages in an empty project, as a user installs
 * them; each row is one promise of the documentation. Prints a table; the exit code is 1 if a row
 * fails. `--names` prints the runners, runtimes and bundlers that have a row.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rows } from './rows.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** An empty project in which npm has installed the packed SDK and server. */
async function makeProject(scratch) {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch]
  const tarballs = []
  for (const name of ['sdk', 'mock-server']) {
    const { stdout } = await run('npm', pack, { cwd: join(root, name) })
    tarballs.push(join(scratch, stdout.trim()))
  }
  const project = join(scratch, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', [...install, ...tarballs], { cwd: project })
  return project
}

/** The programs of the README that end by themselves: those with a server of their own. */
function readmePrograms() {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, source]) => source)
  return blocks.filter((source) => source.includes('createMockServer'))
}

async function tryRow(row, project, programs) {
  const folder = join(project, row.title.replaceAll(/\W+/g, '-'))
  for (const [name, text] of Object.entries(row.files(programs))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [command, ...words] of row.commands(programs)) {
    const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', NODE_OPTIONS: '' }
    Object.assign(env, row.env)
    const { stdout, stderr } = await run(command, words, { cwd: folder, env, timeout: 120_000 })
    const printed = stdout + stderr
    if (!row.prints.test(printed)) throw new Error(`printed: ${printed}`)
  }
}

const words = process.argv.slice(2).map((word) => word.toLowerCase())
if (words.includes('--names')) {
  console.log([...new Set(rows.flatMap(({ names }) => names))].join('\n'))
  process.exit()
}
const isChosen = ({ title }) =>
  words.length === 0 || words.some((word) => title.toLowerCase().includes(word))

const scratch = mkdtempSync(join(tmpdir(), 'consumers-'))
const failed = []
try {
  const project = await makeProject(scratch)
  for (const row of rows.filter(isChosen)) {
    const absent = row.needs.filter((path) => !existsSync(path))
    const start = performance.now()
    const error =
      absent.length > 0
        ? new Error(`not installed: ${absent.join(', ')}`)
        : await tryRow(row, project, readmePrograms()).then(
            () => undefined,
            (reason) => reason,
          )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(
      `${error === undefined ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${row.title}`,
    )
    if (error !== undefined) failed.push([row.title, error])
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const [title, error] of failed)
  console.log(`\n${title}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`)
process.exitCode = failed.length === 0 ? 0 : 1
