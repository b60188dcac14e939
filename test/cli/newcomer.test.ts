import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BIN, emptyEnv, shell, start } from './support/child.js'
import { git, gitEnv } from './support/repository.js'
import { runCli } from './support/run-cli.js'
import { startServer } from './support/server.js'

/** The command behind the `Try:` of what was written. */
function hintOf(text: string): string[] {
  const hint = /Try: ci (.+)$/mu.exec(text)?.[1]
  if (hint === undefined) throw new Error(`no hint in:\n${text}`)
  return hint.split(' ')
}

it('leads by its hints alone from nothing to a list on a local server', async () => {
  const home = await mkdtemp(join(tmpdir(), 'ci-newcomer-'))
  const env = emptyEnv(home)
  const ci = (words: readonly string[]) =>
    start(process.execPath, [BIN, ...words], { env, cwd: home })
  const first = await ci(['builds', 'list']).done
  expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 78, stdout: '' })

  // The port of the hint may be taken on this machine; what the server then says leads on.
  const server = ci([...hintOf(first.stderr), '--port', '0'])
  const ready = await server.shows(/Try: ci .+$/mu)
  const second = await ci(hintOf(ready[0])).done
  const login = ci(['auth', 'login'])
  await login.shows(/Your code {5}[B-Z]{4}-[B-Z]{4}\n/u)
  login.process.kill('SIGINT')
  expect((await login.done).code).toBe(130)
  server.process.kill('SIGTERM')
  await server.done

  expect(second.code).toBe(0)
  expect(second.stdout.trimEnd().split('\n')).toHaveLength(30)
  expect(second.stderr).toBe(
    'acme (context local)\n30 builds shown, more exist: --limit N or --all\n',
  )
})

it('says what to do when the port of a server is taken', async () => {
  const env = emptyEnv(await mkdtemp(join(tmpdir(), 'ci-newcomer-')))
  const line = `ci server exec --seed empty -- sh -c '"${process.execPath}" "${BIN}" server start --port "\${BUILDWIRE_BASE_URL##*:}" --seed empty'`
  const { code, stdout, stderr } = await shell(line, { env }).done
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(
    /cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE; another program .* --port 0 takes a free port/u,
  )
})

it.each([
  ['builds list --branch', 'builds list'],
  ['builds list --limit x', 'builds list'],
  ['builds create -e NO_SUCH_VARIABLE -p acme/web', 'builds create'],
  ['builds watch 1 --until never', 'builds watch'],
  ['-p acme/web builds list --created-from someday', 'builds list'],
  ['completion tcsh', 'completion'],
])('ends a wrong command line with help that works: %s', async (line, command) => {
  const { code, stderr } = await runCli(line.split(' '))
  const lines = stderr.trimEnd().split('\n')
  expect(code).toBe(2)
  expect(lines.length).toBeLessThanOrEqual(4)
  expect(lines.at(-1)).toBe(`  Try: ci ${command} --help`)
  expect((await runCli([...command.split(' '), '--help'])).code).toBe(0)
})

it('breaks results at words, but not inside paths', async () => {
  const { cells } = await import('../../cli/src/io/width.js')
  const env = {
    BUILDWIRE_BASE_URL: 'http://127.0.0.1:9',
    BUILDWIRE_TOKEN: 'token-1',
    BUILDWIRE_ORG: 'acme',
  }
  const { stdout } = await runCli(['doctor', '--offline', '--no-color'], { env, columns: 60 })
  for (const line of stdout.trimEnd().split('\n')) {
    // A path cannot be broken; everything else can.
    if (cells(line) > 60) expect(line).toMatch(/\/\S+$/u)
    expect(line).toMatch(/^(?:[✓·] \w| {16}\S)/u)
  }
})

it('writes paths below the home directory the short way, but for programs', async () => {
  const home = await mkdtemp(join(tmpdir(), 'ci-doctor-'))
  const person = await runCli(['doctor', '--offline', '--no-color'], { home, columns: 100 })
  expect(person.stdout).toContain('~/.config/buildwire/config.json')
  expect(person.stdout).not.toContain(home)
  expect((await runCli(['doctor', '--offline', '--json'], { home })).stdout).toContain(
    `${home}/.config/buildwire`,
  )
})

it('breaks its notes and warnings at words on a terminal', async () => {
  const { stderr } = await runCli(['context', 'list'], { columns: 40 })
  expect(stderr).toBe('No context is set; ci context set NAME\n  --base-url URL makes one\n')
})

it('tells which pipeline a command is about, and where its name came from', async () => {
  const started = await startServer()
  const home = await mkdtemp(join(tmpdir(), 'ci-doctor-'))
  const env = { ...started.env, ...gitEnv }
  const pipeline = async (
    words: readonly string[] = [],
    more: Record<string, string | undefined> = {},
  ) => {
    const io = { home, cwd: home, env: { ...env, ...more } }
    const { code, stdout } = await runCli(['doctor', '--json', ...words], io)
    const found = (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === 'pipeline')
    return { code, ...found }
  }
  try {
    expect(await pipeline()).toMatchObject({ code: 0, value: 'none', source: 'name one with -p' })
    await git(home, 'init', '-q')
    await git(home, 'remote', 'add', 'origin', 'https://git.example/acme/web.git')
    expect(await pipeline(['--offline'])).toMatchObject({ value: 'unknown' })
    expect(await pipeline()).toMatchObject({ value: 'acme/web', source: 'git remote origin' })
    await git(home, 'remote', 'set-url', 'origin', 'https://git.example/acme/other.git')
    expect(await pipeline()).toMatchObject({
      code: 0,
      value: 'none',
      source: expect.stringContaining('git remotes origin'),
    })
    expect(await pipeline([], { BUILDWIRE_PIPELINE: 'api' })).toMatchObject({
      value: 'acme/api',
      source: 'BUILDWIRE_PIPELINE',
    })
    expect(await pipeline(['--offline', '-p', 'orbit/probe'])).toMatchObject({
      value: 'orbit/probe',
      source: null,
    })
    await writeFile(join(home, '.buildwire.json'), JSON.stringify({ pipeline_slug: 'web' }))
    const alone = { BUILDWIRE_ORG: undefined }
    const source = join(home, '.buildwire.json')
    expect(await pipeline(['--offline'], alone)).toMatchObject({ code: 0, value: 'web', source })
  } finally {
    await started.close()
  }
})

it('says where the organization came from: the project file before the context', async () => {
  const home = await mkdtemp(join(tmpdir(), 'ci-doctor-'))
  const io = { home, cwd: home, env: {} }
  await runCli(
    ['context', 'set', 'here', '--base-url', 'http://127.0.0.1:9', '--org', 'from-context'],
    io,
  )
  const organization = async (more: readonly string[] = []) => {
    const { stdout } = await runCli(['doctor', '--offline', '--json', ...more], io)
    return (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === 'organization')
  }
  expect(await organization()).toMatchObject({ value: 'from-context', source: 'context here' })
  await writeFile(join(home, '.buildwire.json'), JSON.stringify({ org_slug: 'from-file' }))
  expect(await organization()).toMatchObject({
    value: 'from-file',
    source: join(home, '.buildwire.json'),
  })
  expect(await organization(['--org', 'typed'])).toMatchObject({ value: 'typed', source: null })
})
