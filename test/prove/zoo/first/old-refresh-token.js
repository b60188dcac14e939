/** Works under a login whose tokens end. Careless: keeps the refresh token that it got first. */
import {
  careless,
  headers,
  jsonOf,
  poll,
  refresh,
  sleep,
  startLogin,
  transient,
  waitOf,
  web,
} from './lib.js'

let tokens = await poll(await startLogin())
const first = tokens.refresh_token

async function read(url) {
  let renewed = false
  for (let tries = 0; ; tries++) {
    const init = { headers: { ...headers, authorization: `Bearer ${tokens.access_token}` } }
    const response = await fetch(url, init).catch((error) => error)
    if (response.status === 401 && !renewed) {
      renewed = true
      tokens = await refresh({ refresh_token: careless ? first : tokens.refresh_token })
    } else if (tries < 3 && (!response.status || transient.has(response.status))) {
      await sleep(response.headers ? waitOf(response) * 1.1 : 200)
    } else return jsonOf(response)
  }
}

for (const branch of ['main', 'develop', 'release'])
  await read(`${web}?per_page=1&branch=${branch}`)
console.log('read')
