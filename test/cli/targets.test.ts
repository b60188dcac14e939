import { chmod, mkdir, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { has } from './support/child.js'
import { gitEnv, repository } from './support/repository.js'
import { type RunOptions, runCli } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()

const directory = (name: string) => mkdtemp(join(tmpdir(), `ci-${name}-`))

const run = (argv: readonly string[], options: RunOptions = {}) =>
  started.run(argv, { ...options, env: { ...gitEnv, ...options.env } })

describe('the pipeline of a repository', () => {
  it('is found by its git remote, printed once, and cached for a day', async () => {
    const cwd = await repository('ssh://git@git.example/acme/web.git')
    const home = await directory('home')
    await started.server.control.requests.delete()
    for (const _ of [1, 2]) {
      const { code, stdout, stderr } = await run(['builds', 'list', '-L', '1'], { cwd, home })
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'acme/web (git remote origin)\n' })
      expect(stdout.split('\t')[10]).toBe('web')
    }
    const asked = (await started.server.control.requests.list()).map(({ operation }) => operation)
    expect(asked).toEqual(['pipelines.list', 'builds.listForPipeline', 'builds.listForPipeline'])
    expect((await run(['builds', 'list', '-L', '1', '--quiet'], { cwd, home })).stderr).toBe('')
    expect((await run(['builds', 'list', '-L', '1', '--json'], { cwd, home })).stderr).toBe('')
  })

  it('is not read from a cache that other users can write to', async () => {
    const cwd = await repository('https://git.example/acme/web')
    const home = await directory('home')
    const pipelineOf = async () =>
      (await run(['builds', 'list', '-L', '1'], { cwd, home })).stdout.split('\t')[10]
    expect(await pipelineOf()).toBe('web')
    const cache = join(home, '.cache', 'buildwire')
    const file = join(cache, 'remotes.json')
    const changed = (await readFile(file, 'utf8')).replace('"web"', '"docs"')
    await writeFile(file, changed)
    expect(await pipelineOf()).toBe('docs')
    await chmod(cache, 0o777)
    expect(await pipelineOf()).toBe('web')
    expect(await readFile(file, 'utf8')).toBe(changed)
  })

  it('is not guessed when nothing matches, the scope is missing, or git is', async () => {
    const other = await repository('https://git.example/acme/unknown.git')
    expect((await run(['builds', 'list', '-L', '1'], { cwd: other })).stderr).toBe(
      'No pipeline of acme builds git.example/acme/unknown (git remote origin). Name one with -p\n' +
        'acme (BUILDWIRE_ORG)\n',
    )
    const cwd = await repository('https://git.example/acme/web')
    const reader = { BUILDWIRE_TOKEN: started.tokens.reader }
    for (const env of [reader, { PATH: '/nowhere' }]) {
      const told = { code: 0, stderr: 'acme (BUILDWIRE_ORG)\n' }
      expect(await run(['builds', 'list', '-L', '1'], { cwd, env })).toMatchObject(told)
    }
  })

  it('is used after typed names, variables and the project file, in that order', async () => {
    const cwd = await repository('https://git.example/acme/web')
    const from = async (argv: string[], env: Record<string, string> = {}) => {
      const { stdout, stderr } = await run(['builds', 'list', '-L', '1', ...argv], { cwd, env })
      return [stdout.split('\t')[10], stderr.trimEnd()]
    }
    await writeFile(
      join(cwd, '.buildwire.json'),
      JSON.stringify({ org_slug: 'acme', pipeline_slug: 'docs' }),
    )
    expect(await from([])).toEqual(['docs', `acme/docs (${join(cwd, '.buildwire.json')})`])
    expect(await from([], { BUILDWIRE_PIPELINE: 'infra' })).toEqual([
      'infra',
      'acme/infra (BUILDWIRE_PIPELINE)',
    ])
    expect(await from(['-p', 'acme/api'], { BUILDWIRE_PIPELINE: 'infra' })).toEqual(['api', ''])
    expect((await from(['--org', 'acme']))[1]).toBe('')
  })

  it('and its branch and commit are used for a new build', async () => {
    const cwd = await repository('https://git.example/acme/web')
    const { code, stdout, stderr } = await run(['builds', 'create', '--dry-run', '--json'], { cwd })
    const { path, body } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(path).toBe('/v2/organizations/acme/pipelines/web/builds')
    expect(body).toEqual({
      branch: 'feat/uploads',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
    })
    expect(stderr).toContain('is on no remote branch')
    const short = body.commit.slice(0, 8)
    await started.server.control.requests.delete()
    await run(['builds', 'list', '-c', short, '-B'], { cwd })
    const asked = await started.server.control.requests.find({
      match: { operation: 'builds.listForPipeline' },
    })
    const query = decodeURIComponent(asked[0]?.query ?? '')
    for (const part of ['branch[]=feat/uploads', `commit[]=${body.commit}`])
      expect(query).toContain(part)
    expect(await run(['builds', 'list', '-c', 'no-such-ref'], { cwd })).toMatchObject({ code: 2 })
  })
})

describe.skipIf(!has('ssh'))('a git remote (needs ssh)', () => {
  /** A PATH whose ssh reads this configuration and counts its calls. */
  async function sshWith(configuration: string) {
    const folder = await directory('ssh')
    const calls = join(folder, 'calls')
    await writeFile(join(folder, 'config'), configuration)
    const program = `#!/bin/sh\necho "$@" >> '${calls}'\nPATH=$REAL exec ssh -F '${folder}/config' "$@"\n`
    await writeFile(join(folder, 'ssh'), program, { mode: 0o755 })
    const PATH = `${folder}:${gitEnv.PATH}`
    const called = async () => (await readFile(calls, 'utf8').catch(() => '')).trimEnd()
    return { env: { PATH, REAL: gitEnv.PATH }, called }
  }
  const list = ['builds', 'list', '-L', '1']

  it('with an alias of the SSH configuration names its host, which is asked once', async () => {
    const { env, called } = await sshWith('Host Work_1\n  HostName git.example\n')
    const cwd = await repository('git@Work_1:acme/web.git')
    const home = await directory('home')
    for (const _ of [1, 2]) {
      const { code, stderr } = await run(list, { cwd, home, env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'acme/web (git remote origin)\n' })
    }
    expect(await called()).toBe('-G Work_1')
  })

  it('that fits as it is written, or in other case, does not ask ssh', async () => {
    const { env, called } = await sshWith('')
    for (const url of ['git@git.example:acme/web.git', 'git@Git.Example:Acme/Web.git']) {
      const { stderr } = await run(list, { cwd: await repository(url), env })
      expect(stderr).toBe('acme/web (git remote origin)\n')
    }
    expect(await called()).toBe('')
  })

  it('that fits no pipeline is named, with the pipeline of the same path', async () => {
    const { env, called } = await sshWith('Host work\n  HostName other.example\n')
    const reason =
      'No pipeline of acme builds work/acme/web (git remote origin). ' +
      'acme/web builds git.example/acme/web: name it with -p web'
    const cwd = await repository('work:acme/web')
    expect((await run(list, { cwd, env })).stderr).toBe(`${reason}\nacme (BUILDWIRE_ORG)\n`)
    for (const argv of [
      [...list, '-B'],
      ['builds', 'get'],
    ]) {
      const refused = await run(argv, { cwd, env })
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
      expect(refused.stderr).toContain(reason)
    }
    expect(await called()).toBe(Array(3).fill('-G work').join('\n'))
  })

  it('whose host reads as an option of ssh is not passed to ssh', async () => {
    const { env, called } = await sshWith('')
    const cwd = await repository('ssh://-Fx/acme/web')
    expect((await run(list, { cwd, env })).stderr).toContain('builds -fx/acme/web')
    expect(await called()).toBe('')
  })
})

describe('the project file', () => {
  it('is found above, and may not choose where a token goes', async () => {
    const cwd = await repository('https://git.example/acme/unknown')
    const inner = join(cwd, 'a', 'b')
    await mkdir(inner, { recursive: true })
    const file = { pipeline_slug: 'acme/docs', baseUrl: 'https://evil.test', output: 'id' }
    await writeFile(join(cwd, '.buildwire.json'), JSON.stringify(file))
    const { code, stdout, stderr } = await run(['builds', 'list', '-L', '1'], { cwd: inner })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    expect(stderr.match(/baseUrl is ignored/gu)).toHaveLength(1)
  })

  it('says where it is broken', async () => {
    const cwd = await directory('project')
    await writeFile(join(cwd, '.buildwire.json'), '{\n  "org_slug": acme\n}\n')
    const { code, stderr } = await run(['builds', 'list'], { cwd })
    const broken = expect.stringContaining('.buildwire.json:2 is not valid JSON')
    expect({ code, stderr }).toEqual({ code: 78, stderr: broken })
  })
})

describe('contexts', () => {
  it('are set, listed, shown, used and deleted', async () => {
    const home = await directory('home')
    const env = { HOME: home }
    const ci = (...argv: string[]) => runCli(['context', ...argv], { home, env })
    expect(
      (await ci('set', 'local', '--base-url', 'http://127.0.0.1:4010/', '--org', 'acme')).stderr,
    ).toBe('Context local is http://127.0.0.1:4010, and the default\n')
    expect(
      (await ci('set', 'prod', '--base-url', 'https://ci.example.test', '--client-id', 'cli')).code,
    ).toBe(0)
    expect(JSON.parse((await ci('list', '--json')).stdout)).toMatchObject([
      { name: 'local', current: true, baseUrl: 'http://127.0.0.1:4010', org_slug: 'acme' },
      { name: 'prod', current: false, client_id: 'cli' },
    ])
    await ci('use', 'prod')
    expect((await ci('list')).stdout).toBe(
      'local\tfalse\thttp://127.0.0.1:4010\tacme\nprod\ttrue\thttps://ci.example.test\n',
    )
    expect(JSON.parse((await ci('show', '--json')).stdout)).toMatchObject({ name: 'prod' })
    await ci('set', 'prod', '--org', 'acme')
    expect(JSON.parse((await ci('show', 'prod', '--json')).stdout)).toMatchObject({
      client_id: 'cli',
      org_slug: 'acme',
    })
    await ci('delete', 'prod')
    expect(await ci('show', 'prod')).toMatchObject({ code: 2 })
    const path = join(home, '.config/buildwire/config.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(home, '.config/buildwire'))).mode & 0o777).toBe(0o700)
  })

  it('refuse http to other machines, users in URLs, and invalid names', async () => {
    const home = await directory('home')
    const set = (name: string, ...argv: string[]) =>
      runCli(['context', 'set', name, ...argv], { home })
    expect(await set('x', '--base-url', 'http://ci.example.test')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--insecure-http'),
    })
    expect((await set('x', '--base-url', 'http://ci.example.test', '--insecure-http')).code).toBe(0)
    const withUser = await set('y', '--base-url', 'https://robin:hunter22@ci.example.test')
    expect(withUser.code).toBe(2)
    expect(withUser.stderr).not.toContain('hunter22')
    expect(await set('../x', '--base-url', 'https://ci.example.test')).toMatchObject({ code: 2 })
    expect(await set('z')).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url') })
  })

  it('keep symlinks and keys of newer versions, and become private', async () => {
    const home = await directory('home')
    const config = join(home, '.config/buildwire')
    await mkdir(config, { recursive: true })
    const real = join(home, 'dotfiles.json')
    await writeFile(
      real,
      JSON.stringify({
        version: 1,
        theme: 'kept',
        contexts: { a: { baseUrl: 'https://a.test', extra: 1 } },
      }),
      { mode: 0o640 },
    )
    await symlink(real, join(config, 'config.json'))
    expect((await runCli(['context', 'use', 'a'], { home })).code).toBe(0)
    const written = JSON.parse(await readFile(real, 'utf8'))
    const contexts = { a: { baseUrl: 'https://a.test', extra: 1 } }
    expect(written).toEqual({ version: 1, theme: 'kept', current: 'a', contexts })
    expect((await stat(real)).mode & 0o777).toBe(0o600)
    await writeFile(real, JSON.stringify({ ...written, version: 2 }))
    expect((await runCli(['context', 'list'], { home })).code).toBe(0)
    expect(await runCli(['context', 'use', 'a'], { home })).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('newer version'),
    })
  })

  it('that cannot be read do not stop a command that does not need them', async () => {
    const home = await directory('home')
    await mkdir(join(home, '.config/buildwire'), { recursive: true })
    await writeFile(join(home, '.config/buildwire/config.json'), '{\n"contexts": {\n')
    for (const argv of [['--help'], ['version'], ['completion', 'bash']])
      expect((await runCli(argv, { home })).code).toBe(0)
    const listed = await run(['builds', 'list', '-L', '1', '-p', 'acme/web'], { home })
    expect(listed.code).toBe(0)
    expect(listed.stderr).toContain('contexts are ignored')
    const broken = await runCli(['builds', 'list'], { home, env: {} })
    expect(broken.code).toBe(78)
    expect(broken.stderr).toMatch(/config\.json:\d+ is not valid JSON/u)
  })

  it('lend their server and organization, and say which one is unknown', async () => {
    const home = await directory('home')
    const env = { BUILDWIRE_BASE_URL: '', BUILDWIRE_ORG: '' }
    await runCli(
      ['context', 'set', 'local', '--base-url', started.server.baseUrl, '--org', 'acme'],
      { home },
    )
    const listed = await run(['builds', 'list', '-L', '1'], { home, env })
    expect(listed).toMatchObject({ code: 0, stderr: 'acme (context local)\n' })
    expect(await run(['builds', 'list', '--context', 'nope'], { home, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Contexts: local'),
    })
  })
})

describe('a question without a person to answer it (C14)', () => {
  const cases: readonly [readonly string[], string][] = [
    [['builds', 'get'], 'BUILDWIRE_PIPELINE'],
    [['builds', 'cancel', '--yes'], 'BUILDWIRE_PIPELINE'],
    [['builds', 'cancel', '-p', 'acme/web'], '--yes takes the newest'],
    [['builds', 'rebuild', '-p', 'acme/web'], '--yes takes the newest'],
    [['builds', 'retry', '-p', 'acme/web'], '--yes takes the newest'],
    [['builds', 'create', '-b', 'main', '-c', 'HEAD'], 'BUILDWIRE_PIPELINE'],
    [['builds', 'get', '42'], 'BUILDWIRE_PIPELINE'],
    [['tests', 'list'], 'BUILDWIRE_SUITE'],
  ]

  it.each(cases)('%j is refused, and the error names the missing value', async (argv, named) => {
    const ways: readonly RunOptions[] = [
      {},
      { columns: 80, env: { CI: '1' } },
      { columns: 80, env: { BUILDWIRE_NO_INPUT: '1' } },
      { columns: 80, terminals: ['stdout', 'stderr'] },
    ]
    for (const way of ways) {
      const { code, stdout, stderr } = await run(argv, way)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(named)
    }
    expect(await run([...argv, '--no-input'], { columns: 80 })).toMatchObject({
      code: 2,
      stdout: '',
    })
  })

  it('is a numbered list for a person, answered by a line', async () => {
    const argv = ['builds', 'create', '-b', 'main', '-c', 'HEAD', '--dry-run']
    const { code, stdout, stderr } = await run(argv, { columns: 80, stdin: 'x\n99\n2\n' })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Which pipeline\?\n {2}1 {2}acme\/\w+\n/u)
    expect(stderr.match(/Number \(1-\d\): /gu)).toHaveLength(3)
    const chosen = / 2 {2}acme\/(\w+)/u.exec(stderr)?.[1]
    expect(stdout).toContain(`/pipelines/${chosen}/builds`)
  })
})
