/** Takes as many records as it can read for the whole list. */
import { again, web } from './careful.js'

const headers = { authorization: `Bearer ${process.env.BUILDWIRE_TOKEN}` }
const response = await again(() => fetch(`${web}?per_page=20`, { headers }))
if (!response.ok) throw new Error(`${response.status}`)
const records = (await response.text()).split(/(?<=\}),(?=\{"id")/)
const failed = records.filter((record) => /"state":"failed"/.test(record))
console.log(`${failed.length} of ${records.length} failed`)
