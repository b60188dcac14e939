import type { CiClient } from '@buildwire/sdk'
import type { BuildStateFilter, OrganizationPath, PipelinePath } from '@buildwire/sdk/contract'
import type { ProjectFile } from '../config/project-file.js'
import type { Settings } from '../config/settings.js'
import type { Clock } from '../io/clock.js'
import type { Io } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import type { Printable } from '../io/printable.js'
import type { Git, Remote } from './git/git.js'

/** A pipeline that builds the repository a remote points to. */
export interface PipelineOfRemote {
  readonly slug: string
  readonly remote: Remote
}

/** Where a name came from. */
interface Inferred {
  /** For the note on stderr; null when it was typed. */
  readonly inferredFrom: string | null
}

export type OrganizationTarget = OrganizationPath & Inferred

export type PipelineTarget = PipelinePath & Inferred

/** Whose builds are listed: those of a pipeline, of an organization, or all. */
export type BuildScope = { readonly [K in keyof PipelinePath]?: string | undefined } & Inferred

/** A pipeline as something names it; its organization may have to be found yet. */
export type NamedPipeline = Omit<PipelineTarget, 'org_slug'> & {
  readonly org_slug?: string | undefined
}

/** The pipelines of an organization that build the repository that is checked out here. */
export interface PipelinesHere {
  readonly org_slug: string
  /** Null when the server does not tell. */
  readonly found: readonly PipelineOfRemote[] | null
}

/** What a command is about that names no build: a pipeline, and the branch whose builds count. */
export interface DefaultTarget extends PipelinePath, Inferred {
  /** Whether the pipeline builds what is checked out here; taken for granted where nobody tells. */
  readonly isHere: boolean
  /** Undefined for builds of any branch, and where no branch is checked out. */
  readonly branch: string | undefined
}

export interface BuildOptions {
  /** The newest build of this branch. */
  readonly branch?: string | undefined
  /** The newest build in one of these states; of any state where there is none. */
  readonly states?: readonly BuildStateFilter[] | undefined
  /**
   * What is about to be done to a build that nobody named, such as `Cancel`: a person is asked
   * first.
   */
  readonly ask?: string | undefined
}

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
