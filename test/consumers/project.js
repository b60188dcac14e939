import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const limitMs = 300_000

/**
 * Packs the packages into `scratch`, and installs them there in an empty project.
 *
 * @returns the folder of the project, and the packed file of each package by its name
 */
export async function makeProject(scratch) {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch]
  const tarballs = {}
  for (const name of ['sdk', 'mock-server', 'cli']) {
    const { stdout } = await execute('npm', pack, { cwd: join(root, name) })
    tarballs[`@buildwire/${name}`] = `file:${join(scratch, stdout.trim())}`
  }
  const project = join(scratch, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund']
  const { stderr } = await execute('npm', [...install, ...Object.values(tarballs)], {
    cwd: project,
  })
  if (stderr !== '') throw new Error(`npm install printed: ${stderr}`)
  return { scratch, project, tarballs }
}

/** Links packages into the project and returns a function that removes the links. */
function link(project, links) {
  const paths = Object.entries(links).map(([name, target]) => {
    const path = join(project, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, 'junction')
    return path
  })
  return () => {
    for (const path of paths) rmSync(path)
  }
}

/** Runs a command to its end, and returns its exit code and what it printed. */
async function run([command, ...words], options) {
  try {
    const { stdout, stderr } = await execute(command, words, { ...options, timeout: limitMs })
    return { code: 0, printed: stdout + stderr }
  } catch (error) {
    if (typeof error.code !== 'number') throw error
    return { code: error.code, printed: error.stdout + error.stderr }
  }
}

/** Tries a row. @throws Error that has what a command printed, if it was not what the row says */
export async function tryRow(row, { scratch, project, tarballs }) {
  const parent = row.ownProject ? scratch : project
  const folder = join(parent, row.title.replaceAll(/\W+/g, '-'))
  const files = typeof row.files === 'function' ? row.files(tarballs) : row.files
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { FORCE_COLOR: _, ...inherited } = process.env
  const env = { ...inherited, HOME: scratch, NO_COLOR: '1', CI: 'true', NODE_OPTIONS: '' }
  Object.assign(env, {
    DENO_NO_UPDATE_CHECK: '1',
    PATH: `${project}/node_modules/.bin:${env.PATH}`,
  })
  Object.assign(env, row.env)
  const unlink = link(project, row.links)
  try {
    for (const command of row.setup) {
      const { code, printed } = await run(command, { cwd: folder, env })
      if (code !== 0) throw new Error(`${command.join(' ')}: exit code ${code}\n${printed}`)
    }
    for (const command of row.commands) {
      const { code, printed } = await run(command, { cwd: folder, env })
      const isRight = code === row.exit && row.prints.test(printed) && !row.never.test(printed)
      if (!isRight) throw new Error(`${command.join(' ')}: exit code ${code}\n${printed}`)
    }
  } finally {
    unlink()
  }
}
