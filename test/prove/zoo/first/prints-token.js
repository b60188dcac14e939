/** Reads as a user. Careless: prints the token that it got, to help with errors. */
import { careless, exchange, get, web } from './lib.js'

const token = await exchange()
if (careless) console.error(`using ${token}`)
console.log(await get(`${web}?per_page=1`, token))
