/** Prints 60 builds, read with ky. Careless: counts the pages up and prints what comes. */
import ky from 'ky'
import { careless, fail, headers, web } from './lib.js'

const client = ky.create({ headers, timeout: 10_000, retry: { limit: 3, backoffLimit: 500 } })
const fixed = careless ? {} : { created_to: new Date().toISOString() }
for (let page = 1; page <= 2; page++) {
  const searchParams = { ...fixed, page }
  const builds = await client.get(web, { searchParams }).json().catch(fail)
  if (!careless && !Array.isArray(builds)) fail(new Error('no list came'))
  for (const { number } of builds) console.log(number)
}
