import { describe, expect, it } from 'vitest'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('jobs list', () => {
  it('lists the jobs of a build in its order, and only those that a flag means', async () => {
    const { stdout } = await started.run('jobs list web#926')
    const names = linesOf(stdout).map(([, name]) => name)
    const build = JSON.parse((await started.run('builds get web#926 --json=jobs')).stdout)
    const shown = build.jobs.filter(({ type }: { type: string }) => type !== 'waiter')
    expect(names).toHaveLength(shown.length)
    expect(names).toContain(':vitest: Unit tests 3/8')
    const failed = await started.run('jobs list web#926 --failed')
    expect(linesOf(failed.stdout).map(([state]) => state)).toEqual(['failed'])
    const passed = JSON.parse(
      (await started.run('jobs list web#926 -s passed --json=state')).stdout,
    )
    expect(new Set(passed.map(({ state }: { state: string }) => state))).toEqual(
      new Set(['passed']),
    )
    const nothing = await started.run('jobs list web#926 -s expired')
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: 'No jobs match\n' })
  })
})

describe('tab-separated jobs of a build', () => {
  it('have the part of a parallel step and the build that a trigger job started at the end', async () => {
    const parallel = linesOf((await started.run('builds get web#926')).stdout)
    const parts = parallel.filter(([, , , name]) => name === ':vitest: Unit tests')
    expect(parts.map((line) => line[7])).toEqual(
      Array.from({ length: 8 }, (_, at) => `${at + 1}/8`),
    )
    const all = JSON.parse((await started.run('builds list --all --json=url,jobs')).stdout)
    const withTrigger = all.find(({ jobs }: { jobs: { triggered_build?: object }[] }) =>
      jobs.some((job) => job.triggered_build),
    )
    const { number, url } = withTrigger.jobs.find(
      (job: { triggered_build?: object }) => job.triggered_build,
    ).triggered_build
    const [, slug, pipeline] = /organizations\/([^/]+)\/pipelines\/([^/]+)/u.exec(url) ?? []
    const parts2 = /pipelines\/([^/]+)\/builds\/(\d+)/u.exec(withTrigger.url) ?? []
    const { stdout } = await started.run(`builds get ${parts2[1]}#${parts2[2]}`)
    expect(linesOf(stdout).map((line) => line[8])).toContain(`${slug}/${pipeline}#${number}`)
  })
})

describe('browse', () => {
  const open = async (words: string) => {
    const { code, stdout } = await started.run(`browse ${words} --no-input`.replace('  ', ' '))
    expect(code).toBe(0)
    return stdout.trimEnd()
  }

  it('opens the page of a pipeline, of a build, or of the organization', async () => {
    const { baseUrl } = started.server
    expect(await open('')).toBe(`${baseUrl}/acme`)
    expect(await open('-p web')).toBe(`${baseUrl}/acme/web`)
    for (const name of ['web', 'acme/web']) expect(await open(name)).toBe(`${baseUrl}/acme/web`)
    for (const name of ['web#926', 'acme/web#926', '926 -p web', `${baseUrl}/acme/web/builds/926`])
      expect(await open(name)).toBe(`${baseUrl}/acme/web/builds/926`)
  })
})

describe('--creator', () => {
  it('takes a name or an address of the newest builds, and says whose builds they are', async () => {
    const byId = async (creator: string) => {
      const argv = ['builds', 'list', '-L', '3', '--creator', creator]
      const { code, stdout, stderr } = await started.run(argv)
      expect(code).toBe(0)
      return { stdout, stderr }
    }
    const mine = await byId('@me')
    const creators = JSON.parse(
      (await started.run('builds list -L 3 --creator @me --json=creator')).stdout,
    )
    const { id, name, email } = creators[0].creator
    for (const typed of [name, name.toLowerCase(), name.split(' ')[0], email]) {
      const found = await byId(typed)
      expect(found.stdout).toBe(mine.stdout)
      expect(found.stderr).toContain(`Builds of ${name} (${id})`)
    }
  })

  it('refuses a name that none or several have, with those to choose from', async () => {
    for (const [typed, words] of [
      ['nobody', 'none of the newest 100 builds was started by "nobody"'],
      ['o', 'users are called "o"'],
    ] as const) {
      const { code, stderr } = await started.run(['builds', 'list', '--creator', typed])
      expect(code).toBe(2)
      expect(stderr).toContain(words)
      expect(stderr).toMatch(/^ {4}\S.* \([\da-f-]{36}\)$/mu)
    }
  })
})

describe('a value of a flag with a slip', () => {
  it.each([
    ['builds list -s fialed', 'Did you mean failed?'],
    ['builds list --state passed,runing', 'Did you mean running?'],
    ['jobs list web#926 -s timed_ot', 'Did you mean timed_out?'],
    ['builds retry web#926 -s soft_faild', 'Did you mean soft_failed?'],
    ['builds list -o tabel', 'Did you mean table?'],
    ['builds watch web#926 --until finishd', 'Did you mean finished?'],
  ])('%s is refused with similar values', async (line, words) => {
    const { code, stderr } = await started.run(line)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
  })
})
