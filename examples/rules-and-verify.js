/**
 * Scripts two faults for a client: a rate limit, and an answer that is lost after the server has
 * done the work. Rules change single answers; the request log shows what the client sent.
 */
import { ControlError, createMockServer } from '@buildwire/mock-server'
import { CiClient, isCiError } from '@buildwire/sdk'

const server = createMockServer({ seed: 'demo' })
const { accessTokens } = await server.ready()
const { url } = await server.listen()
const { control } = server
const ci = new CiClient({ baseUrl: url, auth: accessTokens.admin })

const verified = async (what, expectation) => {
  const { count } = await control.requests.verify(expectation)
  console.log(`  Verified: ${what} (${count} in the request log)`)
}

console.log('The first list gets a rate limit (429, Retry-After: 1).')
await control.rules.create({
  match: { operation: 'builds.listForPipeline' },
  times: 1,
  actions: [{ preset: 'rateLimitedSeconds' }],
})
const builds = await ci.builds.listForPipeline({
  org_slug: 'acme',
  pipeline_slug: 'web',
  per_page: 5,
})
console.log(
  `  The client waited and asked again: ${builds.items.length} builds, newest #${builds.items[0].number}`,
)
await verified('one refusal', {
  match: { operation: 'builds.listForPipeline', status: 429 },
  count: 1,
})
await verified('one success', {
  match: { operation: 'builds.listForPipeline', status: 200 },
  count: 1,
})

console.log('\nThe next create is stored, but its answer never arrives.')
const match = { operation: 'builds.create', json: { branch: 'feature/search' } }
await control.rules.create({ match, times: 1, actions: [{ networkError: 'afterCommit' }] })
const commit = '4f0c6f7d2f5b0f6c1f6a9f3f0f8f2f1f7e6d5c4b'
try {
  await ci.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    branch: 'feature/search',
    commit,
  })
  throw new Error('the answer should have been lost')
} catch (error) {
  if (!isCiError(error)) throw error
  console.log(`  The client did not repeat a create on its own: ${error.code}`)
}
await verified('it was sent once', { match, count: 1 })
const [stored] = (
  await ci.builds.listForPipeline({ org_slug: 'acme', pipeline_slug: 'web', commit: [commit] })
).items
console.log(`  The build exists anyway: build #${stored.number} is ${stored.state}`)

console.log('\nThe error of a wrong expectation shows the most similar requests.')
try {
  await control.requests.verify({
    match: { operation: 'builds.create', json: { branch: 'main' } },
    count: 1,
  })
} catch (error) {
  if (!(error instanceof ControlError)) throw error
  console.log(`  ${error.message}`)
  console.log(`  ${error.errors[0].path}: ${error.errors[0].message.replace(/ at .*/, '')}`)
}
const unused = (await control.rules.list()).filter(({ left }) => left !== 0)
console.log(`\nUnused rules: ${unused.length}`)

await ci.close()
await server.close()
