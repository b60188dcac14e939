/** Counts the pages up until one is empty. */
import { get, web } from './careful.js'

const builds = []
for (let page = 1; page <= 3; page++) {
  const more = await get(`${web}?page=${page}`)
  if (more.length === 0) break
  builds.push(...more)
}
console.log(builds.length)
