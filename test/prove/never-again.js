/** Sends every request once. */
import { jsonOf, web } from './careful.js'

const headers = { authorization: `Bearer ${process.env.BUILDWIRE_TOKEN}` }
console.log((await jsonOf(await fetch(`${web}?per_page=1`, { headers }))).length)
