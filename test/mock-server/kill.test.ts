import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ownerRounds } from '../stress/owners.js'
import { killCycles } from '../support/kill-cycles.js'
import { scratch } from '../support/scratch.js'

it('keeps every acknowledged write when it is killed while writing, 20 times in a row', async () => {
  await using directory = await scratch()
  const report = await killCycles(join(directory.path, 'data'), 20, (cycle) => (cycle * 37) % 150)
  expect(report.faults).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(20)
}, 240_000)

it('has one owner, whoever is killed and however many start at once', async () => {
  await using directory = await scratch()
  const report = await ownerRounds(join(directory.path, 'data'), {
    rounds: 3,
    most: 4,
    seed: 7,
    isOver: () => false,
  })
  expect(report.faults).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
}, 240_000)

it.skipIf(process.platform === 'win32')(
  'cuts the file back when the system writes a part of a batch',
  async () => {
    await using directory = await scratch()
    const script = fileURLToPath(new URL('../support/short-write.ts', import.meta.url))
    const command = 'ulimit -f 16; exec "$0" --import tsx "$1" "$2"'
    const args = ['-c', command, process.execPath, script, join(directory.path, 'state.jsonl')]
    const env = { ...process.env, TSX_DISABLE_CACHE: '1' }
    const { stdout } = await promisify(execFile)('bash', args, { env })
    expect(JSON.parse(stdout)).toEqual({ refused: 'EFBIG', grewBy: 0, kept: ['u1', 'u3'] })
  },
)
