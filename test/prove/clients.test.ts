import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { client, list, proofOf, reasons, verdicts } from './proof.js'

// All rows of all clients take many minutes; `npm run stress -- --only prove` runs them.
const only = (...rows: readonly string[]) => rows.flatMap((row) => ['--only', row])

describe('a careful client', () => {
  it('made with plain fetch is not harmed by any fault', async () => {
    const { code, proof } = await proofOf(
      client('correct'),
      ...only('plain', 'after-commit', 'unavailable', `link/${list}`, 'login-ends', 'unknown'),
    )
    expect(reasons(proof)).toEqual([])
    expect(verdicts(proof)).toEqual(new Set(['survived']))
    expect(code).toBe(0)
    expect(proof.base.uses).toEqual(
      expect.arrayContaining([list, 'builds.create', 'device', 'refresh', 'exchange']),
    )
  }, 600_000)

  it('that uses all of the SDK is not harmed by any fault', async () => {
    const { code, proof } = await proofOf(
      client('everything'),
      ...only('after-commit/builds.create', 'truncated/builds.create'),
    )
    expect(reasons(proof)).toEqual([])
    expect(verdicts(proof)).toEqual(new Set(['survived']))
    expect(code).toBe(0)
  }, 600_000)
})

it('describeFaults fails for a naive client at its row, and shows the requests', async () => {
  const root = await mkdtemp(join(tmpdir(), 'faults-'))
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  await symlink(modules, join(root, 'node_modules'))
  await copyFile(new URL('twice.spec.ts', import.meta.url), join(root, 'twice.spec.ts'))
  const argv = [join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=json']
  const text = await new Promise<string>((resolve) => {
    execFile(process.execPath, argv, { cwd: root }, (_failed, stdout) => resolve(stdout))
  })
  await rm(root, { recursive: true })
  const [file] = (JSON.parse(text) as { testResults: { assertionResults: TestResult[] }[] })
    .testResults
  const failed = file?.assertionResults.filter(({ status }) => status === 'failed') ?? []
  expect(failed.map(({ title }) => title.split(':')[0])).toEqual([
    'after-commit (creating, rebuilding, retrying and annotating)',
  ])
  expect(failed[0]?.failureMessages[0]).toMatch(
    /after-commit\/builds\.create: .*\nThe server did it .* 2 times instead of 1\.\n.*← the fault\n.* 201\nCure: /u,
  )
}, 120_000)

interface TestResult {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}
