import { describe, expect, it } from 'vitest'
import { git, gitEnv, repository } from './support/repository.js'
import type { RunOptions } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()

const run = (argv: readonly string[], options?: RunOptions) =>
  started.run(argv, { ...options, env: gitEnv })

describe('a command without a build', () => {
  const WEB = 'https://git.example/acme/web'

  /** A checkout of web on a branch that has an older build than main's. */
  async function checkout(...remotes: readonly [string, string][]) {
    const list = await run([
      'builds',
      'list',
      '-p',
      'acme/web',
      '--all',
      '--json=number,branch,state',
    ])
    const all: { number: number; branch: string; state: string }[] = JSON.parse(list.stdout)
    const mine = all.find(
      ({ branch, state }) => branch !== all[0]?.branch && branch !== 'main' && state === 'failed',
    )
    if (mine === undefined || all[0] === undefined)
      throw new Error('the demo has no failed build of another branch')
    const cwd = await repository(remotes[0]?.[1] ?? WEB)
    for (const [name, url] of remotes.slice(1)) await git(cwd, 'remote', 'add', name, url)
    await git(cwd, 'checkout', '-q', '-b', mine.branch)
    const newest = all.find(({ branch }) => branch === mine.branch)
    return {
      cwd,
      git,
      number: String(newest?.number),
      state: newest?.state,
      branch: mine.branch,
      newest: String(all[0].number),
    }
  }

  it('takes the newest of the current branch, and of any branch of another pipeline', async () => {
    const { cwd, number, branch, newest } = await checkout()
    const got = await run(['builds', 'get', '-o', 'id'], { cwd })
    expect(got).toMatchObject({ code: 0, stdout: `${number}\n` })
    expect(got.stderr).toBe(
      `acme/web#${number}, the newest build of ${branch} (git remote origin)\n`,
    )
    expect((await run(['builds', 'get', '-o', 'id', '-p', 'web'], { cwd })).stdout).toBe(
      `${number}\n`,
    )
    expect((await run(['builds', 'get', '-o', 'id', '-p', 'web'])).stdout).toBe(`${newest}\n`)
    expect((await run(['builds', 'get', '-o', 'id', '@latest'], { cwd })).stdout).toBe(
      `${newest}\n`,
    )
    await git(cwd, 'checkout', '-q', '--detach')
    const detached = await run(['builds', 'get', '-o', 'id'], { cwd })
    expect(detached).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ci builds get acme/web#@latest -o id'),
    })
  })

  it('changes the newest build only after a person says yes, or with --yes', async () => {
    const { cwd, number, state } = await checkout()
    const piped = await run(['builds', 'rebuild', '-o', 'id'], { cwd })
    expect(piped).toMatchObject({ code: 2, stdout: '' })
    expect(piped.stderr).toContain(`ci builds rebuild acme/web#${number} -o id`)
    const no = await run(['builds', 'rebuild'], { cwd, columns: 80, stdin: '\n' })
    expect(no).toMatchObject({ code: 2, stdout: '' })
    expect(no.stderr).toMatch(/Nothing was done\n$/u)
    expect(no.stderr).toContain(`Rebuild acme/web#${number} (${state}, `)
    const yes = await run(['builds', 'rebuild', '-o', 'id'], { cwd, columns: 80, stdin: 'y\n' })
    expect(yes.code).toBe(0)
    expect(Number(yes.stdout)).toBeGreaterThan(Number(number))
    expect((await run(['builds', 'cancel', '--yes', '-o', 'id'], { cwd })).stdout).toBe(yes.stdout)
  })

  it('takes the pipeline of any remote; of two the user must name one', async () => {
    const { cwd } = await checkout(
      ['origin', 'git@git.example:robin/web.git'],
      ['upstream', `${WEB}.git`],
    )
    expect((await run(['builds', 'list', '-B', '-L', '1'], { cwd })).stderr).toBe(
      'acme/web (git remote upstream)\n',
    )
    await git(cwd, 'remote', 'add', 'docs', 'https://git.example/acme/docs')
    const two = await run(['builds', 'list', '-B', '--failed'], { cwd })
    expect(two).toMatchObject({ code: 2, stdout: '' })
    for (const slug of ['web', 'docs'])
      expect(two.stderr).toContain(`ci builds list -p acme/${slug} -B --failed\n`)
    const picked = await run(['builds', 'list', '-L', '1'], { cwd, columns: 80, stdin: '1\n' })
    expect(picked.stderr).toContain('acme/docs (git remote docs)')
  })

  it('never takes a build of the whole organization', async () => {
    const cwd = await repository('https://git.example/acme/unknown')
    expect(await run(['builds', 'list', '-B', '--failed', '-o', 'id'], { cwd })).toMatchObject({
      code: 2,
      stdout: '',
    })
    expect((await run(['builds', 'list', '--org', 'acme', '-L', '1', '-o', 'id'])).stdout).toMatch(
      /^acme\/\w+#\d+\n$/u,
    )
  })
})
