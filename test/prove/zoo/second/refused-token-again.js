// A service acts as a user by token exchange and reads the last three builds of each pipeline.
// The mistake: it keeps the token for good and sends it again and again after the service refused
// it.
import axios from 'axios'
import { asList, deadline, main, org, patiently, pause } from './careful.js'
import { exchange } from './exchange.js'

const pipelines = ['api', 'docs', 'infra', 'mobile', 'nightly', 'web']
const url = (slug) => `${org}/pipelines/${slug}/builds?per_page=3&exclude_jobs=true`
const show = (slug, builds) => console.log(slug, builds.map(({ number }) => number).join(' '))

async function careless() {
  const token = await exchange()
  const client = axios.create({ headers: { authorization: `Bearer ${token}` }, timeout: deadline })
  for (const slug of pipelines) {
    for (let tries = 1; ; tries++) {
      try {
        show(slug, (await client.get(url(slug))).data)
        break
      } catch (error) {
        if (tries < 4) {
          await pause(250 * 2 ** tries)
          continue
        }
        console.error(`${slug}: ${error.message}`)
        process.exitCode = 1
        break
      }
    }
  }
}

async function careful() {
  let token = await exchange()
  const send = async (address) => {
    const { status, headers, data } = await axios.get(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(deadline),
      responseType: 'text',
      transformResponse: (text) => text,
      validateStatus: () => true,
    })
    return { status, headers: new Headers(headers.toJSON()), text: data }
  }
  const read = (slug) => patiently(() => send(url(slug)), asList)
  for (const slug of pipelines) {
    const builds = await read(slug).catch(async (error) => {
      if (error.status !== 401) throw error
      token = await exchange()
      return read(slug)
    })
    show(slug, builds)
  }
}

await main({ careless, careful })
