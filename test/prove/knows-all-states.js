/** Throws at a state that it does not know. */
import { get, web } from './careful.js'

const colors = {
  scheduled: 'grey',
  running: 'yellow',
  passed: 'green',
  failed: 'red',
  canceled: 'grey',
  blocked: 'blue',
}
const builds = await get(`${web}?per_page=5`)
const { state } = await get(`${web}/${builds.at(-1).number}`)
if (colors[state] === undefined) throw new Error(`no color for ${state}`)
console.log(colors[state].toUpperCase())
