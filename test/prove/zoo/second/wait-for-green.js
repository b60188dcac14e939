// Starts a build of the docs and waits until it has passed, to publish them afterwards.
// The mistake: it knows one end only, so a build that fails or is canceled is waited for without an
// end.
import { authorization, main, org, over, pause, start } from './careful.js'

const builds = `${org}/pipelines/docs/builds`
const fields = { message: 'Before publishing' }

async function careless() {
  const headers = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ commit: 'HEAD', branch: 'main', ...fields })
  const signal = () => AbortSignal.timeout(6000)
  const created = await fetch(builds, { method: 'POST', headers, body, signal: signal() })
  if (!created.ok) throw new Error(`Not started: ${created.status}`)
  let build = await created.json()
  while (build.state !== 'passed') {
    await pause(1000)
    const response = await fetch(`${builds}/${build.number}`, { headers, signal: signal() })
    if (!response.ok) throw new Error(`No build: ${response.status}`)
    build = await response.json()
  }
  console.log(`Build ${build.number} has passed`)
}

async function careful() {
  const { number } = await start('docs', fields)
  const { state } = await over(`${builds}/${number}`)
  if (state !== 'passed') throw new Error(`Build ${number} is ${state}`)
  console.log(`Build ${number} has passed`)
}

await main({ careless, careful })
