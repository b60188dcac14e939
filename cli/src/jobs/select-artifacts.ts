import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError, usageError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import { type ArtifactFilter, artifactPages } from './artifact-pages.js'
import { fileKey, shownPath, type TargetFolder, targetFile } from './target-path.js'

export interface ArtifactSelection extends Pick<ArtifactFilter, 'job' | 'path'> {
  /** Write the artifacts of each job below a folder that has the job's id as its name. */
  readonly 'by-job'?: boolean | undefined
}

export interface SelectedArtifact {
  readonly artifact: Artifact
  /** Below the target folder. */
  readonly path: string
}

/**
 * The artifacts to download.
 *
 * @throws CommandError `not_found` if there are none; `usage` if two of them would be one file.
 */
export async function selectArtifacts(
  context: Context,
  build: BuildPath,
  selection: ArtifactSelection,
  folder: TargetFolder,
): Promise<readonly SelectedArtifact[]> {
  const { job, path: globs, 'by-job': isByJob = false } = selection
  const selected: SelectedArtifact[] = []
  for await (const { items } of await artifactPages(context, build, { job, path: globs }, 100)) {
    for (const artifact of items) {
      const { job_id = '', path = '' } = artifact
      selected.push({ artifact, path: isByJob ? `${job_id}/${path}` : path })
    }
  }

  if (selected.length === 0) {
    const name = reference(build, build.number)
    throw new CommandError('not_found', say`build ${name} has no such artifact`, {
      hint: ['artifacts', 'list', name],
    })
  }
  refuseEqualFiles(selected, build, selection, folder)
  return selected
}

function refuseEqualFiles(
  selected: readonly SelectedArtifact[],
  build: BuildPath,
  { job, path: globs = [], 'by-job': isByJob = false }: ArtifactSelection,
  folder: TargetFolder,
): void {
  const keys = new Map<string, SelectedArtifact>()
  for (const each of selected) {
    const key = keyOf(each, folder)
    if (key === null) continue
    const other = keys.get(key)
    keys.set(key, each)
    if (other === undefined) continue

    const isOfOneJob = other.artifact.job_id === each.artifact.job_id
    const headline = say`two of these artifacts have the path ${shownPath(each.path)}`
    if (isByJob || isOfOneJob)
      throw usageError(headline, { lines: [say`Both are of one job; choose one with --path`] })
    const words = [
      ...(job === undefined ? [] : ['--job', job]),
      ...globs.flatMap((glob) => ['--path', glob]),
    ]
    throw usageError(headline, {
      lines: [say`--by-job makes a folder for each job, --job chooses one job`],
      hint: ['artifacts', 'download', reference(build, build.number), ...words, '--by-job'],
    })
  }
}

/** Null for an artifact that will not be written: it has no content, or its path is refused. */
function keyOf({ artifact, path }: SelectedArtifact, folder: TargetFolder): string | null {
  if (artifact.state !== undefined && artifact.state !== 'finished') return null
  try {
    return fileKey(targetFile(folder, path), folder.platform)
  } catch (error) {
    // The download reports it.
    if (error instanceof CommandError) return null
    throw error
  }
}
