/** Reads two lists with axios. Careless: asks again and again with a token that was refused. */
import axios from 'axios'
import { careless, headers, sleep, transient, web } from './lib.js'

async function read(url) {
  for (let tries = 0; ; tries++) {
    const response = await axios
      .get(url, { headers, timeout: 10_000, validateStatus: () => true })
      .catch((error) => ({ status: 503, headers: {}, data: error.message }))
    if (response.status === 200 && Array.isArray(response.data)) return response.data
    const again = transient.has(response.status) || (careless && response.status === 401)
    if (tries === 4 || !again) throw new Error(`${response.status} for ${url}`)
    await sleep(1100 * waitOf(response.headers['retry-after']))
  }
}

function waitOf(value = '0.2') {
  return Number.isNaN(Number(value)) ? (Date.parse(value) - Date.now()) / 1000 : Number(value)
}

await read(`${web}?per_page=1`)
console.log((await read(`${web}?per_page=1&branch=main`)).length)
