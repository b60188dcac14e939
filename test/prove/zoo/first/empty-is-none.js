/** Counts failed builds with axios. Careless: an answer without a body is an empty list. */
import axios from 'axios'
import { careless, headers, sleep, web } from './lib.js'

async function failed() {
  for (let tries = 0; ; tries++) {
    try {
      const { data } = await axios.get(`${web}?state=failed`, { headers, timeout: 10_000 })
      if (careless) return data || []
      if (!Array.isArray(data)) throw new Error(`not a list: ${typeof data}`)
      return data
    } catch (error) {
      const { status } = error.response ?? {}
      if (tries === 3 || (status !== undefined && status < 429)) throw error
      const value = error.response?.headers['retry-after'] ?? '0.2'
      const isDate = Number.isNaN(Number(value))
      await sleep(isDate ? Date.parse(value) - Date.now() + 100 : Number(value) * 1100)
    }
  }
}

console.log(`${(await failed()).length} failed`)
