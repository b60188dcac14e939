import { createMockServer } from '@buildwire/mock-server'
import { memoryMiB } from '../support/memory.js'
import type { StressTask } from './task.js'

const limitMiB = 300

/** 1 000 sandboxes of the demo seed, each written once, cost less than 300 MiB. */
export const run: StressTask = async ({ requests = 1000, log }) => {
  const server = createMockServer({ seed: 'demo' })
  await server.ready()
  const memory = () => memoryMiB().rss
  const first = await server.sandbox({ seed: 'demo' })
  await first.close()
  const before = memory()
  let count = 0
  for (; count < requests; count += 1) {
    const sandbox = await server.sandbox({ seed: 'demo' })
    const answer = await sandbox.fetch(
      new Request(`${sandbox.baseUrl}/v2/organizations/acme/pipelines/web/builds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.accessTokens['admin']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ commit: 'HEAD', branch: 'main', message: `sandbox ${count}` }),
      }),
    )
    if (answer.status !== 201) {
      await server.close()
      return { figures: { sandboxes: count }, failure: `create in sandbox ${count} answered ${answer.status}` }
    }
    if ((count + 1) % 250 === 0) log(`${count + 1} sandboxes, ${Math.round(memory() - before)} MiB more`)
  }
  const more = memory() - before
  await server.close()
  const failure =
    more < limitMiB ? undefined : `${Math.round(more)} MiB for ${count} sandboxes, the limit is ${limitMiB}`
  return { figures: { sandboxes: count, 'MiB more': Math.round(more) }, failure }
}
