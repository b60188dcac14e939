import { isAbsolute, resolve } from 'node:path'
import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { failuresOf } from '../context/errors/report.js'
import { CommandError, errorCode, usageError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import { artifactPages } from './artifact-pages.js'
import { preparePath, writeChecked } from './write-file.js'

interface DownloadRequest {
  readonly job?: string | undefined
  /** Paths, where `*` matches any characters; without a path every artifact is downloaded. */
  readonly path?: readonly string[] | undefined
  readonly dir?: string | undefined
  readonly force?: boolean | undefined
}

/**
 * Downloads artifacts one after another and continues after an error. The exit code is the code of
 * the failures if they all have the same, else 1.
 */
export async function downloadArtifacts(
  context: Context,
  build: BuildPath,
  request: DownloadRequest,
): Promise<void> {
  const { io, out, signal, progress } = context
  const artifacts = await selectArtifacts(context, build, request)
  const { dir = '.', force = false } = request
  const folder = { path: resolve(io.cwd, dir), platform: io.platform, force }
  const ci = await context.ci()
  const downloaded: object[] = []
  const failures = failuresOf(context, artifacts.length > 1)
  for (const artifact of artifacts) {
    const { id, job_id = '', path = '', state } = artifact
    const expected = {
      path,
      file_size: artifact.file_size ?? null,
      sha1sum: artifact.sha1sum ?? null,
    }
    const work = progress.start((seconds) => say`downloading ${path}, ${seconds} s`)
    try {
      if (state !== undefined && state !== 'finished') {
        throw new CommandError(
          'not_found',
          say`the artifact ${JSON.stringify(path)} is ${state}: it has no content`,
        )
      }
      const file = await preparePath(folder, path)
      const content = await ci.artifacts.content({ ...build, job_id, artifact_id: id }, { signal })
      const size = await writeChecked(file, content, expected, force)
      const record = { id, job_id, path, file, file_size: size, sha1sum: expected.sha1sum }
      downloaded.push(record)
      if (out.mode !== 'json') await out.value(record, () => [say`${relativePath(file, io.cwd)}`])
    } catch (error) {
      await failures.report(asWriteError(error, path))
    } finally {
      work.stop()
    }
  }
  if (out.mode === 'json') await out.values(downloaded)
  failures.end()
}

/** A CommandError for an error of the file system; any other error as it is. */
function asWriteError(error: unknown, path: string): unknown {
  const isFileError = error instanceof Error && 'syscall' in error && 'path' in error
  if (!isFileError) return error
  return new CommandError(
    'unavailable',
    say`cannot write the artifact ${JSON.stringify(path)} (${errorCode(error)})`,
    { cause: error },
  )
}

/** The path relative to `cwd` if it is below it, else as it is. */
function relativePath(path: string, cwd: string): string {
  return isAbsolute(path) && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

async function selectArtifacts(
  context: Context,
  build: BuildPath,
  { job, path: globs }: DownloadRequest,
): Promise<Artifact[]> {
  const pages = await artifactPages(context, build, job, 100)
  const patterns = globs?.map(patternOf)
  const isSelected = ({ path = '' }: Artifact) =>
    patterns === undefined || patterns.some((matches) => matches(path))
  const selected: Artifact[] = []
  for await (const { items } of pages) selected.push(...items.filter(isSelected))

  if (selected.length === 0) {
    const name = reference(build, build.number)
    throw new CommandError('not_found', say`build ${name} has no such artifact`, {
      hint: ['artifacts', 'list', name],
    })
  }

  const paths = new Set<string>()
  for (const { path = '' } of selected) {
    if (paths.has(path)) {
      throw usageError(say`two of these artifacts have the path ${JSON.stringify(path)}`, {
        lines: [say`Choose the job with --job`],
      })
    }
    paths.add(path)
  }
  return selected
}

/** A glob in which `*` stands for any text, `/` included. Takes linear time for any path. */
function patternOf(glob: string): (path: string) => boolean {
  const [start = '', ...parts] = glob.split('*')
  const end = parts.pop()
  if (end === undefined) return (path) => path === start
  return (path) => {
    if (!path.startsWith(start)) return false
    let at = start.length
    for (const part of parts) {
      const found = path.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return path.endsWith(end) && path.length - end.length >= at
  }
}
