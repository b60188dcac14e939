// Starts the nightly build and prints its number.
// The mistake: it sends the request again whenever there was no good answer, so a lost answer makes
// a second build.
import { authorization, main, org, pause, start } from './careful.js'

const message = 'Nightly'

async function careless() {
  const body = JSON.stringify({ commit: 'HEAD', branch: 'main', message })
  const headers = { authorization, 'content-type': 'application/json' }
  let problem
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const response = await fetch(`${org}/pipelines/nightly/builds`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(5000),
      })
      if (!response.ok) throw new Error(`The service answered ${response.status}`)
      const build = await response.json()
      return console.log(build.number)
    } catch (error) {
      problem = error
      await pause(1000 * 2 ** attempt)
    }
  }
  throw problem
}

async function careful() {
  const build = await start('nightly', { message })
  console.log(build.number)
}

await main({ careless, careful })
