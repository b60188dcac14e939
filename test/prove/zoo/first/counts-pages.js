/** Prints 60 builds, read with ky. Careless: counts the pages up and prints what comes. */
import ky from 'ky'
import { careless, headers, web } from './lib.js'

const client = ky.create({ headers, timeout: 10_000, retry: { limit: 3, backoffLimit: 500 } })
const fixed = careless ? {} : { created_to: new Date().toISOString() }
for (let page = 1; page <= 2; page++) {
  const builds = await client.get(web, { searchParams: { ...fixed, page } }).json()
  for (const { number } of builds) console.log(number)
}
