/**
 * Proves animals with all rows and prints what is found: `tsx test/prove/zoo/survey.ts first
 * careless [NAME...]`; with `--rows`, only the rows that are expected to show their mistakes.
 */
import { findingsOf, type Mood, proveAnimal, storiesOf, whyAbsent } from './keeper.js'
import { zoo } from './zoo.js'

const words = process.argv.slice(2)
const isShort = words.includes('--rows')
const [name = 'first', mood = 'careless', ...names] = words.filter((word) => word !== '--rows')
const named = zoo.find(({ part }) => part === name)
if (named === undefined) throw new TypeError(`the zoo has no part ${name}`)
const { part, animals, expected } = named
for (const animal of animals) {
  if (names.length > 0 && !names.includes(animal.name)) continue
  const absent = await whyAbsent(animal)
  if (isShort && expected[animal.name] === undefined) continue
  const shown = expected[animal.name]?.rows ?? []
  const rows = isShort ? [...shown, ...(mood === 'careful' ? ['unavailable'] : [])] : []
  const proof = absent ?? (await proveAnimal(part, animal, mood as Mood, rows).catch(String))
  if (typeof proof === 'string') console.log(`# ${animal.name} ${mood}: ${proof}`)
  else {
    const harms = findingsOf(proof, 'harm').join(' ')
    console.log(`# ${animal.name} ${mood} (${proof.rows.length} rows): ${harms || 'nothing'}`)
    console.log(storiesOf(proof))
  }
}
