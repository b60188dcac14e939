/** Reads a list with node:http. Careless: takes all its headers along to another origin. */
import { get } from 'node:http'
import { careless, headers, sleep, transient, waitOf, web } from './lib.js'

const once = (url) =>
  new Promise((resolve, reject) => {
    get(url, { headers, timeout: 10_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ statusCode: response.statusCode, headers: response.headers, text }),
      )
    }).on('error', reject)
  })

async function read(url, tries = 0) {
  const answer = await once(url).catch(() => ({ statusCode: 503, headers: {} }))
  const { statusCode, headers: answered = {}, text } = answer
  if (statusCode === 200) return JSON.parse(text)
  if (careless && statusCode === 302) return read(new URL(answered.location, url), tries)
  if (tries === 3 || !transient.has(statusCode)) throw new Error(`${statusCode} for ${url}`)
  await sleep(
    1.1 * waitOf({ headers: new Headers({ 'retry-after': answered['retry-after'] ?? '0.2' }) }),
  )
  return read(url, tries + 1)
}

console.log((await read(`${web}?per_page=3`)).length)
