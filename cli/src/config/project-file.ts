import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OUTPUTS } from '../flags/global.js'
import { CommandError } from '../io/command-error.js'
import type { Io } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import { readJsonFile } from './json-file.js'

/**
 * The settings in a repository's `.buildwire.json`. They never decide where a token goes or which
 * program runs.
 */
export type ProjectFile = NonNullable<Awaited<ReturnType<typeof readProjectFile>>>

const NAME = '.buildwire.json'
const KEYS = ['org_slug', 'pipeline_slug', 'suite_slug', 'output']

/**
 * Finds `.buildwire.json` in the directory or above it, up to the repository's root or the home
 * directory. Warns about keys that are not allowed there.
 */
export async function readProjectFile(
  { cwd, home }: Pick<Io, 'cwd' | 'home'>,
  warn: Notes['warn'],
) {
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
        throw new CommandError(
          'configuration',
          say`${path}: output is one of ${OUTPUTS.join(', ')}`,
        )
      }
      const unknown = Object.keys(raw).filter((key) => !KEYS.includes(key))
      if (unknown.length > 0) {
        const allowed = say`a project may set org_slug, pipeline_slug, suite_slug and output`
        warn(say`${path}: ${unknown.join(', ')} is ignored; ${allowed}`)
      }
      return {
        path,
        org_slug: text('org_slug'),
        pipeline_slug: text('pipeline_slug'),
        suite_slug: text('suite_slug'),
        output,
      }
    }
    const isTop = directory === home || directory === dirname(directory)
    if (isTop || existsSync(join(directory, '.git'))) return null
  }
}
