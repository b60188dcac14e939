import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowdbDirectory } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { wideBuild } from '../support/wide-build.js'

it('runs a build of very many jobs beside others, keeps its journal small, and finds it again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wide-'))
  try {
    const { faults, others } = await wideBuild({
      jobs: 300,
      lifecycle: 'immediate',
      writers: 4,
      retries: 1,
      persistence: () => ({ persistence: lowdbDirectory(directory) }),
      journalSize: async () => (await stat(join(directory, 'state.jsonl'))).size,
    })
    expect(faults).toEqual([])
    expect(others).toBeGreaterThan(0)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 120_000)
