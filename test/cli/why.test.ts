import type { FailureSummary } from '@buildwire/sdk'
import { expect, it } from 'vitest'
import { git, gitEnv, repository } from './support/repository.js'
import type { RunOptions } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()

const run = (argv: readonly string[], options?: RunOptions) =>
  started.run(argv, { ...options, env: gitEnv })

async function builds(
  ...argv: string[]
): Promise<{ number: number; branch: string; state: string }[]> {
  return JSON.parse(
    (await run(['builds', 'list', '--all', '--json=number,branch,state', ...argv])).stdout,
  )
}

it('shows the failed jobs, the log lines that matter, and commands to copy', async () => {
  const [failed] = await builds('-p', 'acme/docs', '--state', 'failed')
  const { code, stdout } = await run(['why', `acme/docs#${failed?.number}`])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(`^✗ .+ failed: .+\n {2}acme/docs #${failed?.number} failed · `, 'u'),
  )
  expect(stdout).toContain('    │ Exited with status 1\n')
  const commands = [...stdout.matchAll(/^ {2}(?:retry|whole log|open) +ci (.+)$/gmu)].map(
    ([, line = '']) => line,
  )
  expect(commands.map((line) => line.split(' ')[1])).toEqual(['retry', 'logs', 'open'])
  for (const line of commands.slice(1)) expect((await run(line.split(' '))).code).toBe(0)
  expect((await run(`${commands[0]}`.split(' '))).code).toBe(0)
})

it('is about the newest failed build of the branch here, or of any branch of another pipeline', async () => {
  const all = await builds('-p', 'acme/web')
  const isFailed = ({ state }: { state: string }) => state === 'failed' || state === 'failing'
  const mine = all.find((build) => isFailed(build) && build.branch !== all.find(isFailed)?.branch)
  const cwd = await repository('https://git.example/acme/web')
  await git(cwd, 'checkout', '-q', '-b', mine?.branch ?? '')
  const number = async (argv: string[], options?: RunOptions) =>
    (JSON.parse((await run(['why', '--json', ...argv], options)).stdout) as FailureSummary).build
      .number
  expect(await number([], { cwd })).toBe(mine?.number)
  expect(await number(['-p', 'web'])).toBe(all.find(isFailed)?.number)
})

it('answers for a build that passed, with exit code 0', async () => {
  const [passed] = await builds('-p', 'acme/web', '--state', 'passed')
  const { code, stdout } = await run(['builds', 'why', `web#${passed?.number}`])
  expect(code).toBe(0)
  expect(stdout).toContain(`Build ${passed?.number} passed\n`)
  expect(stdout).not.toMatch(/^ {2}since/mu)
  expect(stdout).not.toContain('ci builds retry')
})

it('keeps its JSON within --max-bytes, and its Markdown together whatever a log holds', async () => {
  for (const limit of [1024, 4000]) {
    const { stdout } = await run(['why', '-p', 'web', '--json', '--max-bytes', String(limit)])
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(limit)
    expect(JSON.parse(stdout).headline).toMatch(/Unit tests .* failed: /u)
  }
  const { stdout } = await run(['why', '-p', 'web', '--format', 'markdown'])
  expect(stdout).toMatch(/^## .*Unit tests 3\/8 failed: .+\n\n\[acme\/web/u)
  // The annotation is in the headline, so the only block is the log.
  expect(stdout.match(/^```/gmu)).toHaveLength(2)
  expect(stdout).toMatch(/^Did not run because of it: .*🚀 Deploy$/mu)
  expect(stdout).toMatch(/^- retry: `ci builds retry acme\/web#\d+`$/mu)
  expect(await run(['why', '-p', 'web', '--format', 'markdown', '--json'])).toMatchObject({
    code: 2,
    stdout: '',
  })
})

it('finds an earlier attempt by the id that it printed, and a job by its own URL', async () => {
  const { stdout } = await run(['why', '-p', 'web', '--json'])
  const { build, problems } = JSON.parse(stdout) as FailureSummary
  const ref = `web#${build.number}`
  const [first] = problems
  const ids = first?.attempts.map(({ id }) => id) ?? []
  expect(ids).toHaveLength(2)
  for (const id of ids) {
    const job = await run(['jobs', 'get', ref, '--job', id, '--json=id'])
    expect(JSON.parse(job.stdout)).toEqual({ id })
    expect((await run(['builds', 'logs', ref, '--job', id])).code).toBe(0)
    expect((await run(['artifacts', 'list', ref, '--job', id])).code).toBe(0)
    const opened = await run(['builds', 'open', ref, '--job', id])
    expect(opened.stdout + opened.stderr).toContain(`#${id}`)
  }
  const url = await run(['jobs', 'get', first?.web_url ?? '', '--json=id'])
  expect(JSON.parse(url.stdout)).toEqual({ id: first?.id })
  const log = await run(['builds', 'logs', first?.web_url ?? ''])
  expect(log.stdout).toBe((await run(['builds', 'logs', ref, '--job', `${first?.id}`])).stdout)
})

it('says whether the first problem is new, unstable or not new, with the evidence', async () => {
  const [unstable] = await builds('-p', 'acme/web', '--state', 'failed', '-b', 'feature/dark-mode')
  const verdicts = { '-p web': 'new', [`web#${unstable?.number}`]: 'unstable', '-p api': 'not_new' }
  const words = { new: 'new in #', unstable: 'unstable: ', not_new: 'not new: main ' }
  for (const [target, verdict] of Object.entries(verdicts)) {
    const { stdout } = await run(['why', ...target.split(' '), '--json'])
    const { problems } = JSON.parse(stdout) as FailureSummary
    expect(problems[0]?.origin?.verdict, target).toBe(verdict)
    expect(problems.slice(1).some(({ origin }) => origin)).toBe(false)
    const sentence = problems[0]?.origin?.sentence ?? ''
    expect(sentence.startsWith(words[verdict as keyof typeof words])).toBe(true)
    expect((await run(['why', ...target.split(' ')])).stdout).toContain(
      `  origin     ${sentence}\n`,
    )
    const markdown = await run(['why', ...target.split(' '), '--format', 'markdown'])
    expect(markdown.stdout.replaceAll('\\', '')).toContain(`- origin: ${sentence}\n`)
    const without = await run(['why', ...target.split(' '), '--no-history'])
    expect(without.stdout).not.toContain('origin')
  }
})

it('breaks the sentences below the log at blanks on a terminal', async () => {
  const { stdout } = await run(['why', '-p', 'web', '--no-color'], { columns: 60 })
  const [, origin = ''] = /\n( {2}origin [\s\S]*?)\n {2}retry /u.exec(stdout) ?? []
  expect(origin).toMatch(/^ {2}origin {5}new in #\d+; .*\n {13}\S/u)
  for (const line of origin.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60)
})

it('says in the last line of a watch and of a retry that a job is unstable', async () => {
  const [failed] = await builds('-p', 'acme/web', '--state', 'failed', '-b', 'feature/dark-mode')
  const ref = `web#${failed?.number}`
  const last = /Unit tests 6\/8 is unstable: it passed for the same commit in #\d+\n$/u
  const watched = await run(['builds', 'watch', ref])
  expect(watched).toMatchObject({ code: 1, stderr: expect.stringMatching(last) })
  const json = await run(['builds', 'watch', ref, '--json'])
  expect(json.stdout + json.stderr).not.toContain('unstable')
  const retried = await run(['builds', 'retry', ref])
  expect(retried).toMatchObject({ code: 0, stderr: expect.stringMatching(last) })
})
