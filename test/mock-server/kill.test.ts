import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killCycles } from '../support/kill-cycles.js'

it('keeps every acknowledged write when it is killed while writing, 20 times in a row', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bw-'))
  try {
    const report = await killCycles(join(directory, 'data'), 20, (cycle) => (cycle * 37) % 150)
    expect(report.faults).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(20)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 240_000)
