/**
 * Proves animals with all rows and prints what is found: `tsx test/prove/zoo/survey.ts first
 * careless [NAME...]`; with `--rows`, only the rows that are expected to show their mistakes.
 */
import { findingsOf, type Half, type Mood, proveAnimal, storiesOf, whyAbsent } from './keeper.js'

const words = process.argv.slice(2)
const isShort = words.includes('--rows')
const [half = 'first', mood = 'careless', ...names] = words.filter((word) => word !== '--rows')
const { animals } = await import(`./${half}/zoo.ts`)
const { expected } = await import(half === 'first' ? './first/zoo.ts' : './second-rows.ts')
for (const animal of animals) {
  if (names.length > 0 && !names.includes(animal.name)) continue
  const absent = await whyAbsent(animal)
  if (isShort && expected[animal.name] === undefined) continue
  const shown = expected[animal.name]?.rows ?? []
  const rows = isShort ? [...shown, ...(mood === 'careful' ? ['unavailable'] : [])] : []
  const proof =
    absent ?? (await proveAnimal(half as Half, animal, mood as Mood, rows).catch(String))
  if (typeof proof === 'string') console.log(`# ${animal.name} ${mood}: ${proof}`)
  else {
    const harms = findingsOf(proof, 'harm').join(' ')
    console.log(`# ${animal.name} ${mood} (${proof.rows.length} rows): ${harms || 'nothing'}`)
    console.log(storiesOf(proof))
  }
}
