// Writes the open builds of the organization to a file that a wall display reads.
// The mistake: it writes to the file itself instead of replacing it, so a reader may see half of
// it.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAll, main, org } from './careful.js'

const states = ['scheduled', 'running', 'failing', 'canceling']
const filter = states.map((state) => `state[]=${state}`).join('&')
const open = `${org}/builds?${filter}&per_page=100&exclude_jobs=true&exclude_pipeline=true`

const write = async (save) => {
  const builds = await getAll(open)
  const directory = await mkdtemp(join(tmpdir(), 'wall-'))
  try {
    const file = join(directory, 'open.json')
    await save(file, JSON.stringify(builds.map(({ web_url, state }) => ({ web_url, state }))))
    const written = JSON.parse(await readFile(file, 'utf8'))
    console.log(`${written.length} open builds`)
  } finally {
    await rm(directory, { recursive: true })
  }
}

const careless = () => write((file, text) => writeFile(file, text))

const careful = () =>
  write(async (file, text) => {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  })

await main({ careless, careful })
