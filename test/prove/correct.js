/** Uses everything that a client fault exists for, without mistakes. */
import { exchange, get, poll, refresh, startLogin, walk, web, write } from './zoo/first/lib.js'

const builds = await walk(web)
await get(`${web}/${builds[0].number}`)
const made = await write('POST', web, {
  commit: 'HEAD',
  branch: 'main',
  message: 'made with plain fetch',
})
await write('PUT', `${web}/${made.number}/cancel`, {})
const tokens = await poll(await startLogin())
await get(`${web}?per_page=1`, (await refresh(tokens)).access_token)
const minted = await exchange()
for (let call = 0; call < 4; call++) await get(`${web}?per_page=1`, minted)
