import type { CiClient } from '@buildwire/sdk'
import type { ProjectFile } from '../config/project-file.js'
import type { Settings } from '../config/settings.js'
import type { Clock } from '../io/clock.js'
import type { Io } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import type { Printable } from '../io/printable.js'
import type { Git } from './git/git.js'

export interface TargetTools {
  readonly io: Io
  readonly clock: Clock
  /** Aborted by Ctrl-C and by a reader that went away; belongs into every request. */
  readonly signal: AbortSignal
  readonly notes: Notes
  readonly git: Git
  readonly noInput: boolean
  /** The command line of this run, with `words` behind the name of the command. */
  again(words: readonly (string | number)[]): Printable
  settings(): Promise<Settings>
  project(): Promise<ProjectFile | null>
  /** The client of this run's server, with this run's credential. */
  ci(): Promise<CiClient>
}
