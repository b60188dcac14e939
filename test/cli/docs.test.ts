import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the pages in docs/cli are up to date', async () => {
  const tool = fileURLToPath(new URL('../../cli/tools/docs.js', import.meta.url))
  await expect(promisify(execFile)(process.execPath, [tool, '--check'])).resolves.toMatchObject({
    stderr: '',
  })
})
