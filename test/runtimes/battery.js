// Fourteen tests of the SDK for any runtime, against a running server. No code here depends on the
// runtime.
import {
  CiClient,
  createSigner,
  isCiError,
  requestDeviceAuthorization,
  TokenExchange,
  waitForBuild,
} from '@buildwire/sdk'

const web = { org_slug: 'acme', pipeline_slug: 'web' }

function expect(condition, what) {
  if (!condition) throw new Error(what)
}

/** The SDK's error with this code that a call must throw. */
async function refused(promise, code) {
  const error = await Promise.resolve(promise).then(
    () => undefined,
    (reason) => reason,
  )
  expect(isCiError(error, code), `expected ${code}, got ${error?.stack ?? error}`)
  return error
}

/** Runs every row. The result of a row is `null`, or its error. */
export async function battery({ baseUrl, authUrl, token, controlUrl, controlToken, keys }) {
  const ci = new CiClient({ baseUrl, auth: token })
  const exchanged = async (key) => {
    const signer = await createSigner({ key })
    const exchange = new TokenExchange(
      {
        client_id: 'minter',
        subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
      },
      { authUrl, signer },
    )
    const auth = exchange.tokenProvider({ subject_token: 'robin@acme.example', audience: 'acme' })
    const builds = await ci.withAuth(auth).builds.list().toArray({ limit: 1 })
    expect(builds.length === 1, 'no build with the exchanged token')
  }
  const rows = {
    create: async () => {
      const build = await ci.builds.create({
        ...web,
        commit: 'HEAD',
        branch: 'main',
        message: 'ä 🚀',
        env: { A: '1' },
      })
      expect(build.message === 'ä 🚀' && build.number > 0, 'another build')
    },
    list: async () => {
      const numbers = []
      for await (const { number } of ci.builds.listForPipeline({ ...web, per_page: 10 }))
        numbers.push(number)
      expect(
        new Set(numbers).size === numbers.length && numbers.length > 20,
        `${numbers.length} builds`,
      )
    },
    get: async () => {
      const build = await ci.builds.get({ ...web, number: 1 })
      expect(build.pipeline?.slug === 'web' && build.jobs?.length > 0, 'no jobs')
    },
    cancel: async () => {
      const { number } = await ci.builds.create({
        ...web,
        pipeline_slug: 'slow',
        commit: 'HEAD',
        branch: 'main',
      })
      const build = await ci.builds.cancel({ ...web, pipeline_slug: 'slow', number })
      expect(build.state === 'canceled' || build.state === 'canceling', build.state)
    },
    wait: async () => {
      const { number } = await ci.builds.create({ ...web, commit: 'HEAD', branch: 'main' })
      const { outcome } = await waitForBuild(
        ci,
        { ...web, number },
        { pollIntervalMs: 100, timeoutMs: 20_000 },
      )
      expect(outcome === 'passed', outcome)
    },
    'not found': async () => {
      const error = await refused(ci.builds.get({ ...web, number: 999_999 }), 'not_found')
      expect(error.headers.get('content-type')?.includes('json'), 'no headers')
    },
    response: async () => {
      const { response } = await ci.builds.get({ ...web, number: 1 }).withResponse()
      expect(
        response.status === 200 && response.attempts === 1 && response.requestId !== undefined,
        'no request id',
      )
    },
    abort: async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const onEvent = ({ type }) => type === 'request' && controller.abort(reason)
      const error = await ci.user.get({ signal: controller.signal, onEvent }).then(
        () => undefined,
        (given) => given,
      )
      expect(error === reason, `ended with ${error}`)
    },
    // A rule of the server delays this response by a minute.
    'time-out': async () => {
      const error = await refused(ci.user.get({ timeoutMs: 300 }), 'timeout')
      expect(error.kind === 'total' && error.sent === 'unknown', `${error.kind} ${error.sent}`)
    },
    'device login': async () => {
      const device = await requestDeviceAuthorization(
        { client_id: 'terminal', scope: ['read_builds'] },
        { authUrl },
      )
      const response = await fetch(
        `${controlUrl}/device-authorizations/${device.user_code}/approve`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ user: 'robin@acme.example', org_slug: 'acme' }),
        },
      )
      expect(response.ok, `approve: ${response.status} ${await response.text()}`)
      const tokens = await device.poll()
      expect(`${tokens}` === '[redacted]' && tokens.access_token !== '', 'no token')
    },
    'exchange ES256': () => exchanged(keys.es256),
    'exchange RS256': () => exchanged(keys.rs256),
    'exchange JWK': () => exchanged(keys.jwk),
    close: async () => {
      await ci.close()
      await refused(ci.builds.list(), 'config')
    },
  }
  const results = {}
  for (const [name, row] of Object.entries(rows)) {
    results[name] = await row().then(
      () => null,
      (error) => String(error?.stack ?? error),
    )
  }
  return results
}
