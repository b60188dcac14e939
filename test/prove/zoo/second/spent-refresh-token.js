// Logs a person in on a device, renews the login at once, as after a long sleep, and lists the
// newest builds.
// The mistake: when the answer to the renewal is lost, it sends the same refresh token again, which
// works only once.
import { asJson, asList, main, once, org, patiently } from './careful.js'
import { logIn, renew } from './device.js'

async function list({ access_token }) {
  const headers = { authorization: `Bearer ${access_token}` }
  const url = `${org}/pipelines/infra/builds?per_page=5&exclude_jobs=true`
  const builds = await patiently(() => once(url, { headers }), asList)
  for (const build of builds) console.log(build.number)
}

async function careless() {
  const { refresh_token } = await logIn('read_builds')
  await list(await patiently(renew(refresh_token), asJson))
}

async function careful() {
  const { refresh_token } = await logIn('read_builds')
  // Only a request that was certainly not carried out is sent again.
  const refusedForNow = (status) => status === 429
  const renewed = await patiently(renew(refresh_token), asJson, refusedForNow).catch((error) => {
    throw new Error(`The login could not be renewed, log in again (${error.message})`)
  })
  await list(renewed)
}

await main({ careless, careful })
