import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cells } from '../../cli/src/io/width.js'
import { type RunOptions, runCli } from './support/run-cli.js'
import { startServer } from './support/server.js'

let started: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  started = await startServer()
})
afterAll(() => started.close())

const run = (line: string, options: RunOptions = {}) =>
  runCli(line.split(' '), { ...options, env: { ...started.env, ...options.env } })
const UUID = '00000000-0000-4000-8000-000000000000'

describe('what is not found', () => {
  it.each([
    ['builds get acme/no#1', 'ci pipelines list --org acme'],
    ['builds get no/web#1', 'ci organizations list'],
    ['builds get acme/web#999999', 'ci builds list -p acme/web'],
    ['builds get acme/web#@latest --branch no', 'ci builds list -p acme/web'],
    ['builds list -p acme/no', 'ci pipelines list --org acme'],
    ['pipelines list --org no', 'ci organizations list'],
    ['tests list --suite no', 'ci organizations list'],
    [`tests get ${UUID} --suite no`, 'ci organizations list'],
  ])('leads to the list in which it should stand: %s', async (line, hint) => {
    const { code, stdout, stderr } = await run(line)
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`  Try: ${hint}`)
  })

  it('a test leads to the tests of its suite, in which the hint works', async () => {
    const { code, stderr } = await run(`tests get ${UUID} --suite web-unit`)
    expect(code).toBe(5)
    expect(stderr).toContain(`test ${UUID} not found in suite web-unit`)
    expect(stderr).toContain('  Try: ci tests list --org acme --suite web-unit\n')
    expect((await run('tests list --org acme --suite web-unit -L 1')).code).toBe(0)
  })
})

describe('an error on a terminal', () => {
  it('is broken at words, but for the command to try', async () => {
    const { stderr } = await run('tests list --suite no --no-color', { columns: 60 })
    for (const line of stderr.trimEnd().split('\n')) expect(cells(line)).toBeLessThanOrEqual(60)
    expect(stderr).toMatch(
      /^Error: suite no not found in organization acme, or your user\n {7}cannot see it \(404\)\n/mu,
    )
  })

  it('is one line each where a program reads', async () => {
    // The first says which organization was meant.
    expect((await run('tests list --suite no')).stderr.trimEnd().split('\n')).toHaveLength(5)
  })
})
