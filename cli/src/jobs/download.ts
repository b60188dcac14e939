import { isAbsolute, resolve } from 'node:path'
import { type CiClient, isCiError } from '@buildwire/sdk'
import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { failuresOf } from '../context/errors/report.js'
import { CommandError, errorCode } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { type ArtifactSelection, selectArtifacts } from './select-artifacts.js'
import {
  findExisting,
  makeFolders,
  shownPath,
  type TargetFile,
  type TargetFolder,
  targetFile,
} from './target-path.js'
import { alreadyThere, DamagedContentError, isEqualFile, writeChecked } from './write-file.js'

interface DownloadRequest extends ArtifactSelection {
  readonly dir?: string | undefined
  readonly force?: boolean | undefined
  readonly 'skip-existing'?: boolean | undefined
}

interface Download {
  readonly context: Context
  readonly ci: CiClient
  readonly build: BuildPath
  readonly folder: TargetFolder
  readonly request: DownloadRequest
}

/** Requests for a content that breaks off, and the wait before each but the first. */
const MAX_REQUESTS = 3
const PAUSE_MS = 1000
/** After these errors no other artifact can be written either. */
const FULL = ['ENOSPC', 'EDQUOT', 'EROFS']

/**
 * Downloads artifacts one after another and continues after an error. The exit code is 1 if some
 * are missing; if none was downloaded it is the code of the failures, or 1 if they differ.
 */
export async function downloadArtifacts(
  context: Context,
  build: BuildPath,
  request: DownloadRequest,
): Promise<void> {
  const { io, out, notes, progress } = context
  const folder = { path: resolve(io.cwd, request.dir ?? '.'), platform: io.platform }
  const artifacts = await selectArtifacts(context, build, request, folder)
  const ci = await context.ci()
  const download: Download = { context, ci, build, folder, request }
  const done: object[] = []
  const failures = failuresOf(context, artifacts.length > 1)
  for (const { artifact, path } of artifacts) {
    const work = progress.start((seconds) => say`downloading ${shownPath(path)}, ${seconds} s`)
    try {
      const record = await downloadOne(download, artifact, path)
      done.push(record)
      if (record.skipped)
        notes.note(say`${relativePath(record.file, io.cwd)} exists already and is equal`)
      else if (out.mode !== 'json')
        await out.value(record, () => [say`${relativePath(record.file, io.cwd)}`])
    } catch (error) {
      await failures.report(asWriteError(error, path))
      if (FULL.includes(errorCode(error))) break
    } finally {
      work.stop()
    }
  }
  if (out.mode === 'json') await out.values(done)
  const missing = artifacts.length - done.length
  if (missing > 0 && done.length > 0)
    notes.note(say`${missing} of ${artifacts.length} artifacts are missing`)
  failures.end(done.length > 0)
}

async function downloadOne(download: Download, artifact: Artifact, path: string) {
  const { folder, request } = download
  const { id, job_id = '', state } = artifact
  if (state !== undefined && state !== 'finished') {
    throw new CommandError(
      'not_found',
      say`the artifact ${shownPath(path)} is ${state}: it has no content`,
    )
  }
  const expected = { file_size: artifact.file_size ?? null, sha1sum: artifact.sha1sum ?? null }
  const file = targetFile(folder, path)
  const existing = await findExisting(file)
  const skipped =
    existing?.isFile() === true &&
    request['skip-existing'] === true &&
    (await isEqualFile(file.path, existing.size, expected))
  if (!skipped && existing !== null && request.force !== true) throw alreadyThere(file.path)

  const file_size = skipped ? existing.size : await fetchFile(download, artifact, file)
  const { sha1sum } = expected
  return { id, job_id, path: artifact.path, file: file.path, file_size, sha1sum, skipped }
}

/** Requests the content again, from a new address, if it breaks off. Returns its size in bytes. */
async function fetchFile(
  { context, ci, build, folder, request }: Download,
  artifact: Artifact,
  file: TargetFile,
): Promise<number> {
  const { clock, interrupts, signal } = context
  const { id: artifact_id, job_id = '', file_size = null, sha1sum = null } = artifact
  const options = { force: request.force === true, onInterrupt: interrupts.onInterrupt }
  for (let requests = 1; ; requests += 1) {
    const path = { ...build, job_id, artifact_id }
    const content = await ci.artifacts.content(path, { file_size, signal })
    try {
      await makeFolders(folder, file)
      return await writeChecked(file, content, { file_size, sha1sum }, options)
    } catch (error) {
      if (!isCut(error) || requests === MAX_REQUESTS) throw error
    } finally {
      content.cancel()
    }
    await clock.sleep(PAUSE_MS * requests, signal)
  }
}

function isCut(error: unknown): boolean {
  if (error instanceof DamagedContentError) return error.isCut
  return isCiError(error, 'connection') || isCiError(error, 'timeout')
}

/** A CommandError for an error of the file system; any other error as it is. */
function asWriteError(error: unknown, path: string): unknown {
  // An error of a write has no path.
  const isFileError = error instanceof Error && 'syscall' in error && 'errno' in error
  if (!isFileError) return error
  const code = errorCode(error)
  const line = code === 'ENOSPC' ? [say`The disk is full`] : []
  return new CommandError(
    'unavailable',
    say`cannot write the artifact ${shownPath(path)} (${code})`,
    {
      lines: line,
      cause: error,
    },
  )
}

/** The path relative to `cwd` if it is below it, else as it is. */
function relativePath(path: string, cwd: string): string {
  return isAbsolute(path) && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}
