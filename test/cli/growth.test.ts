import { expect, it } from 'vitest'
import { run } from '../stress/growth.js'
import { press } from '../stress/task.js'

it('the time of every reader of foreign text grows with the length of the text', async () => {
  const result = await press(run, {
    minutes: 5,
    seed: 1,
    requests: 4096,
    log: () => undefined,
  })
  expect(result.failure).toBeUndefined()
}, 320_000)
