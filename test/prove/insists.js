/** Asks again and again with a token that was refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import { again, jsonOf, web } from './careful.js'

const headers = { authorization: `Bearer ${process.env.BUILDWIRE_TOKEN}` }

async function get(url) {
  for (let tries = 0; ; tries++) {
    const response = await again(() => fetch(url, { headers }))
    if (response.status !== 401 || tries === 5) return jsonOf(response)
    await sleep(50)
  }
}

const to = `created_to=${new Date().toISOString()}`
await get(`${web}?${to}`)
await get(`${web}?${to}&page=2`)
