import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

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
}, 300_000)

interface TestResult {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}
