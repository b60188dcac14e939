/**
 * A client with two mistakes, which `npx ci server prove -- node examples/prove-me.js` finds. It
 * starts a build and lists the newest builds.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const { BUILDWIRE_BASE_URL = '', BUILDWIRE_TOKEN = '' } = process.env
const builds = `${BUILDWIRE_BASE_URL}/v2/organizations/acme/pipelines/web/builds`
const headers = { authorization: `Bearer ${BUILDWIRE_TOKEN}`, 'content-type': 'application/json' }

/** Sends a request up to three times. A refused write, or what is refused for good, is not sent again. */
async function send(url, init) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { ...init, headers }).catch((error) => error)
    const isFinal = response.ok || (response.status < 500 && response.status !== 429)
    if (isFinal || (init && response.status) || tries === 3) return response
    await sleep(1100 * Number(response.headers?.get('retry-after') ?? 0.2))
  }
}

// The first mistake: if the connection breaks, the server may have created the build, and this
// creates another one.
const created = await send(builds, {
  method: 'POST',
  body: JSON.stringify({ commit: 'HEAD', branch: 'main' }),
})
if (!created.ok) throw new Error(`Not started: ${created.status ?? created}`)
const { number } = await created.json()
console.log(`Started web#${number}`)

// The second mistake: services get new states, and this program throws an error for them.
const signs = {
  scheduled: '◷',
  running: '▶',
  passed: '✓',
  failed: '✗',
  failing: '✗',
  canceled: '■',
  blocked: '‖',
}
const listed = await send(`${builds}?per_page=5`)
for (const build of await listed.json()) {
  if (signs[build.state] === undefined) throw new Error(`What is ${build.state}?`)
  console.log(signs[build.state], `web#${build.number}`, build.branch)
}
