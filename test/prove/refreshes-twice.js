/** Sends a refresh token again when its answer is lost. */
import { askToken, get, jsonOf, poll, startLogin, web } from './careful.js'

const { refresh_token } = await poll(await startLogin())
const fields = { grant_type: 'refresh_token', client_id: 'demo-terminal', refresh_token }
const response = await askToken(fields).catch(() => askToken(fields))
await get(`${web}?per_page=1`, (await jsonOf(response)).access_token)
