import { expect, it } from 'vitest'
import { run } from '../stress/parsers.js'
import { press } from '../stress/task.js'

it('1 200 inputs made from the grammars give no 5xx, no internal error and no long turn', async () => {
  const result = await press(run, {
    minutes: 3,
    seed: 20_260_301,
    requests: 1200,
    log: () => undefined,
  })
  expect(result.failure).toBeUndefined()
  expect(result.figures).toMatchObject({ inputs: 1200 })
  expect(Number(result.figures['200'])).toBeGreaterThan(100)
}, 200_000)
