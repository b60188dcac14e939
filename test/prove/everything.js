/**
 * Uses all parts of the SDK: walks, reads, writes, streams, logins, exchanges. No client fault may
 * harm it.
 */
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import {
  CiClient,
  createSigner,
  refreshingTokenProvider,
  requestDeviceAuthorization,
  summarizeFailure,
  TokenExchange,
  userEmailTokenType,
} from '@buildwire/sdk'

const {
  BUILDWIRE_BASE_URL: baseUrl,
  BUILDWIRE_AUTH_URL: authUrl,
  BUILDWIRE_TOKEN: auth,
} = process.env
const web = { org_slug: 'acme', pipeline_slug: 'web' }
const ci = new CiClient({ baseUrl, auth })

await ci.builds.listForPipeline({ ...web, per_page: 30 }).toArray({ limit: 70 })
const failed = (await ci.builds.listForOrganization({ org_slug: 'acme', state: 'failed' })).items[0]
const place = { org_slug: 'acme', pipeline_slug: failed.pipeline.slug, number: failed.number }
const summary = await summarizeFailure(ci, place)
const gaps = [
  ...summary.problems.filter(({ log_absent }) => log_absent?.reason === 'unreadable'),
  ...summary.truncated.filter(({ advice }) => advice.includes('could not be read')),
]
if (summary.before === null) gaps.push('before')
if (gaps.length > 0) throw new Error(`The summary has gaps: ${JSON.stringify(gaps)}`)

const made = await ci.builds.create({
  ...web,
  commit: 'HEAD',
  branch: 'main',
  message: 'made with the SDK',
})
await ci.builds.cancel({ ...web, number: made.number })
await ci.builds.rebuild({ ...web, number: made.number })

const job = (await ci.builds.get(place)).jobs.find(({ exit_status }) => exit_status === 1)
if (job === undefined) throw new Error('no job failed')
const at = { ...place, job_id: job.id }
await buffer(await ci.jobs.logStream(at))
await ci.annotations.create({ ...place, body: 'Seen.', context: 'seen' })
const [artifact] = (await ci.artifacts.list(place)).items
await buffer(
  await ci.artifacts.content({ ...place, job_id: artifact.job_id, artifact_id: artifact.id }),
)

await ci.builds.retryFailedJobs(place)

const suite = { org_slug: 'acme', suite_slug: 'web-unit' }
const [test] = (await ci.tests.list(suite)).items
await ci.tests.find({ ...suite, scope: test.scope, name: test.name })
await ci.tests.changeLabels({ ...suite, test_id: test.id, operator: 'add', labels: ['seen'] })

const login = await requestDeviceAuthorization(
  { client_id: 'demo-terminal', scope: 'read_builds read_user' },
  { authUrl },
)
const { BUILDWIRE_CONTROL_URL: control, BUILDWIRE_CONTROL_TOKEN: token } = process.env
await fetch(`${control}/device-authorizations/${login.user_code}/approve`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ user: 'robin@acme.example', org_slug: 'acme' }),
})
const tokens = await login.poll()
const provider = refreshingTokenProvider({ client_id: 'demo-terminal', tokens }, { authUrl })
const mine = new CiClient({ baseUrl, auth: provider })
await mine.user.get()
provider.invalidate(await provider.getToken())
await mine.user.get()

const keyFile = new URL('../../examples/keys/demo-token-exchange.private.pem', import.meta.url)
const exchange = new TokenExchange(
  { client_id: 'demo-deploy-bot', subject_token_type: userEmailTokenType('buildwire') },
  {
    authUrl,
    signer: await createSigner({ key: readFileSync(keyFile, 'utf8'), kid: 'demo-1' }),
  },
)
const subject = {
  subject_token: 'mina@acme.example',
  audience: 'acme',
  scope: ['read_builds', 'read_user'],
}
const asMina = ci.withAuth(exchange.tokenProvider(subject))
for (let call = 0; call < 5; call++) await asMina.user.get()
await Promise.all([ci.close(), mine.close()])
