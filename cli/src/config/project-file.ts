import { dirname, join } from 'node:path'
import { OUTPUTS } from '../flags/global.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { isAtPath, readJsonFile } from './json-file.js'

/** What a repository may say about itself. It never chooses where a token goes or which program runs. */
export type ProjectFile = NonNullable<Awaited<ReturnType<typeof readProjectFile>>>

const NAME = '.buildwire.json'
const KEYS = ['org_slug', 'pipeline_slug', 'suite_slug', 'output']

/** Finds `.buildwire.json` in the directory or above it, up to the repository's root or the home directory. */
export async function readProjectFile(cwd: string, home: string) {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, NAME)
    const raw = await readJsonFile(path)
    if (raw !== null) {
      const text = (key: string) => {
        const value = raw[key]
        if (value === undefined || typeof value === 'string') return value
        throw new CommandError('configuration', say`${path}: ${key} must be a text`)
      }
      const output = OUTPUTS.find((name) => name === text('output'))
      if (raw.output !== undefined && output === undefined) {
        throw new CommandError('configuration', say`${path}: output is one of ${OUTPUTS.join(', ')}`)
      }
      return {
        path,
        org_slug: text('org_slug'),
        pipeline_slug: text('pipeline_slug'),
        suite_slug: text('suite_slug'),
        output,
        unknown: Object.keys(raw).filter((key) => !KEYS.includes(key)),
      }
    }
    if (directory === home || directory === dirname(directory) || (await isAtPath(join(directory, '.git')))) return null
  }
}
