import type { CiClient } from '@buildwire/sdk'
import type { BuildStateFilter, OrganizationPath, PipelinePath } from '@buildwire/sdk/contract'
import type { ProjectFile } from '../config/project-file.js'
import type { ServerSettings } from '../config/settings.js'
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

interface Inferred {
  /** Where the name came from, for the note on stderr; null when the user typed it. */
  readonly inferredFrom: string | null
}

export type OrganizationTarget = OrganizationPath & Inferred

export type PipelineTarget = PipelinePath & Inferred

/** Which builds are listed: those of a pipeline, of an organization, or all. */
export type BuildScope = { readonly [K in keyof PipelinePath]?: string | undefined } & Inferred

/** A pipeline that was named; its organization may still be unknown. */
export type NamedPipeline = Omit<PipelineTarget, 'org_slug'> & {
  readonly org_slug?: string | undefined
}

/** The pipelines of an organization that build the repository that is checked out here. */
export interface PipelinesHere {
  readonly org_slug: string
  /** Null when the server does not list them for this token. */
  readonly pipelines: readonly PipelineOfRemote[] | null
  readonly remotes: readonly Remote[]
  /** Pipelines that build a repository of the same path, maybe on another host. */
  readonly alike: readonly { readonly slug: string; readonly location: string }[]
}

/** The pipeline of a command that names no build, and the branch whose builds count. */
export interface DefaultTarget extends PipelinePath, Inferred {
  /** Whether the pipeline builds what is checked out here; true where the server does not tell. */
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
   * The change that the command is about to make, such as `Cancel`: if the command line names no
   * build, a person has to confirm it.
   */
  readonly ask?: string | undefined
}

/** The part of a context that finding a target needs. */
export interface TargetTools {
  readonly io: Io
  readonly clock: Clock
  /** Aborted by Ctrl-C, or when the reader of stdout goes away; every request takes it. */
  readonly signal: AbortSignal
  readonly notes: Notes
  readonly git: Git
  readonly noInput: boolean
  /** The command line of this run, with `words` behind the name of the command. */
  again(words: readonly (string | number)[]): Printable
  settings(): Promise<ServerSettings>
  project(): Promise<ProjectFile | null>
  /** The client of this run's server, with this run's credential. */
  ci(): Promise<CiClient>
}
