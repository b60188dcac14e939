import { expect, it } from 'vitest'
import { run } from '../stress/fuzz.js'
import { press } from '../stress/task.js'

it('answers 2 000 valid, nearly valid and hostile requests without a 5xx, a hang or an answer that is not what it says', async () => {
  const result = await press(run, {
    minutes: 3,
    seed: 20_260_301,
    requests: 2_000,
    log: () => undefined,
  })
  expect(result.failure).toBeUndefined()
  expect(result.figures).toMatchObject({ requests: 2_000 })
  expect(Number(result.figures['200'])).toBeGreaterThan(100)
}, 200_000)
