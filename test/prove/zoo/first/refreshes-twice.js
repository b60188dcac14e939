/** Refreshes a login. Careless: sends a refresh token again when the answer is lost. */
import { askToken, careless, get, jsonOf, poll, startLogin, web } from './lib.js'

const { refresh_token } = await poll(await startLogin())
const fields = { grant_type: 'refresh_token', client_id: 'demo-terminal', refresh_token }
const send = () => askToken(fields)
const response = await (careless ? send().catch(send) : send())
await get(`${web}?per_page=1`, (await jsonOf(response)).access_token)
console.log('refreshed')
