import { expect, it } from 'vitest'
import { run } from '../stress/growth.js'
import { press } from '../stress/task.js'

it('the time of every reader of foreign text grows with the length of the text', async () => {
  const result = await press(run, {
    minutes: 2,
    seed: 1,
    requests: 4096,
    log: (line) => console.log(line),
  })
  expect(result.failure).toBeUndefined()
}, 150_000)
