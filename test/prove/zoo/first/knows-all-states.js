/** Shows a build. Careless: throws at a state that it does not know. */
import { careless, get, web } from './lib.js'

const builds = await get(`${web}?per_page=5`)
const { state } = await get(`${web}/${builds.at(-1).number}`)
const known = ['scheduled', 'running', 'passed', 'failed', 'canceled', 'blocked']
if (careless && !known.includes(state)) throw new Error(`no color for ${state}`)
console.log(state)
