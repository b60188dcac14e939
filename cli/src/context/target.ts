import type { BuildStateFilter } from '@buildwire/sdk/contract'
import type { ErrorFacts } from '../io/error-report.js'
import type { Printable } from '../io/printable.js'
import type { Remote } from './git/remote.js'

/** A pipeline that builds the repository a remote points to. */
export interface PipelineOfRemote {
  readonly slug: string
  readonly remote: Remote
}

/** A pipeline and where its name came from. */
export interface PipelineTarget {
  readonly org_slug: string
  readonly pipeline_slug: string
  /** For the note on stderr; null when it was typed. */
  readonly inferredFrom: string | null
}

/** A pipeline as something names it. */
export interface NamedPipeline {
  readonly org_slug?: string | undefined
  readonly pipeline_slug: string
  readonly inferredFrom: string | null
}

/** The pipelines of an organization that build the repository that is checked out here. */
export interface PipelinesHere {
  readonly org_slug: string
  /** Null when the server does not tell. */
  readonly found: readonly PipelineOfRemote[] | null
}

/** What a command is about that names no build: a pipeline, and the branch whose builds count. */
export interface DefaultTarget extends PipelineTarget {
  /** Whether the pipeline builds what is checked out here; taken for granted where nobody tells. */
  readonly isHere: boolean
  /** Undefined for builds of any branch, and where no branch is checked out. */
  readonly branch: string | undefined
}

/** An organization and where its name came from. */
export interface OrganizationTarget {
  readonly org_slug: string
  readonly inferredFrom: string | null
}

/** A build's address. */
export interface BuildTarget {
  readonly org_slug: string
  readonly pipeline_slug: string
  readonly number: number
}

/** A suite's address. */
export interface SuiteTarget {
  readonly org_slug: string
  readonly suite_slug: string
}

/** How a build is found that is not named by its number. */
export interface BuildOptions {
  /** The newest build of this branch. */
  readonly branch?: string | undefined
  /** The newest build in one of these states; of any state where there is none. */
  readonly states?: readonly BuildStateFilter[] | undefined
  /** What is about to be done to a build that nobody named, such as `Cancel`: a person is asked first. */
  readonly ask?: string | undefined
}

/** Finds out what a command is about: typed, from variables, from files, from the repository, or by asking. */
export interface Target {
  /** The pipeline, or null when nothing names one; asks a person only to choose among several of one repository. */
  findPipeline(): Promise<PipelineTarget | null>
  /** What a flag, a variable or the project file names; its organization may have to be found yet. Asks nobody. */
  namedPipeline(): Promise<NamedPipeline | null>
  /** The pipelines that build the repository here, by all its remotes; null where no remote, or no organization, is known. */
  pipelinesHere(): Promise<PipelinesHere | null>
  /** The pipeline; asks a person, else refuses. */
  pipeline(): Promise<PipelineTarget>
  /** The pipeline of a typed `[ORG/]SLUG`. */
  pipelineOf(typed: string): Promise<PipelineTarget>
  /** The organization, or null; never asks the server. */
  findOrganization(): Promise<OrganizationTarget | null>
  /** The only organization that the token works in; null when there are several, or nobody tells. */
  onlyOrganization(): Promise<OrganizationTarget | null>
  organization(): Promise<OrganizationTarget>
  /**
   * What a command without a build is about: the pipeline, and of the one that is checked out here the current branch.
   * A branch that was typed wins.
   */
  defaults(branch?: string): Promise<DefaultTarget>
  /**
   * The build of a typed reference; `@latest` is looked up. Without one the newest build of {@link defaults}.
   *
   * @throws CommandError `usage` when a write is to be confirmed and nobody can be asked, or the answer is no.
   */
  build(typed: string | undefined, options?: BuildOptions): Promise<BuildTarget>
  /** The suite: typed, from a variable or the project file. `about` says what was inferred. */
  suite(typed: string | undefined): Promise<SuiteTarget & { readonly about: Printable | null }>
  /** The test record of a typed id or URL. */
  test(typed: string, suite: string | undefined): Promise<SuiteTarget & { readonly test_id: string }>
  /** What this run is about, as far as it is found: for hints of errors. */
  known: ErrorFacts['pipeline']
  /** Says once on stderr what was inferred. */
  tell(found: { org_slug: string; pipeline_slug?: string; inferredFrom: string | null }): void
}
