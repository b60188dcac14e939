import { describe, expect, test } from 'vitest'
import { workshopOfTest } from '../support/workshop.js'
import { buildsOf, COMMIT } from './shop-builds.js'

const shop = workshopOfTest()
const { newBuild, advance, later, finishNewest } = buildsOf(shop)

describe('after a write', () => {
  test.each(['create', 'rebuild'])(
    '%s --watch --quiet requests builds without their jobs',
    async (verb) => {
      const build = await newBuild()
      const words = verb === 'create' ? ['-c', 'HEAD', '-b', 'main'] : [String(build.number)]
      void later(15_000, () => finishNewest('passed'))
      expect((await shop.run(['builds', verb, ...words, '--watch', '--quiet'])).code).toBe(0)
      const requests = await shop.control.requests.find({ match: { operation: 'builds.get' } })
      expect(requests.length).toBeGreaterThan(1)
      for (const { query } of requests) expect(query).toBe('exclude_jobs=true')
    },
  )

  test('create --watch --json prints one object: the last build', async () => {
    void later(15_000, () => finishNewest('failed'))
    const { code, stdout } = await shop.run(
      `builds create -c ${COMMIT} -b main --watch --json`.split(' '),
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ state: 'failed' })
  })

  test('rebuild and retry --watch follow several builds, skip a refused one, and ignore states from before', async () => {
    for (const build of [await newBuild(), await newBuild()])
      await advance(build, 'finished', 'failed')
    void later(30_000, () => finishNewest('passed', 'passed'))
    const retried = await shop.run('builds retry 1 2 999 --watch'.split(' '))
    expect(retried).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('build 999 not found'),
    })
    expect(retried.stdout).toMatch(/^\S+Z build acme\/web#[12] job .*\n/u)
    expect(retried.stdout).not.toContain('failed')
    for (const ref of ['web#1', 'web#2'])
      expect(retried.stdout).toMatch(new RegExp(`${ref}: .*passed after `, 'u'))
    void later(15_000, () => finishNewest('failed', 'passed'))
    const { code, stdout } = await shop.run('builds rebuild 1 2 --watch --json=state'.split(' '))
    expect({ code, builds: JSON.parse(stdout) }).toEqual({
      code: 1,
      builds: [{ state: 'passed' }, { state: 'failed' }],
    })
  })

  test('retry --watch of a build that passes now ends with the jobs that had failed', async () => {
    const build = await newBuild()
    await advance(build, 'finished', 'failed')
    void later(15_000, () => finishNewest('passed'))
    const retried = await shop.run(`builds retry ${build.number} --watch`.split(' '))
    expect(retried.code).toBe(0)
    expect(retried.stderr).toMatch(/\n\S.* unstable: failed, and passed when run again\n$/u)
  })

  test.each([
    ['1 998', [{ number: 2 }]],
    ['998 999', []],
  ])('rebuild %s --watch --json always prints a list', async (numbers, builds) => {
    await advance(await newBuild(), 'finished', 'failed')
    void later(15_000, () => finishNewest('passed'))
    const { code, stdout } = await shop.run(
      `builds rebuild ${numbers} --watch --json=number`.split(' '),
    )
    expect({ code, builds: JSON.parse(stdout) }).toEqual({ code: 5, builds })
  })
})
