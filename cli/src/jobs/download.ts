import { isAbsolute, resolve } from 'node:path'
import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { failuresOf } from '../context/errors.js'
import { CommandError, errorCode, usageError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import { artifactPages } from './artifact-pages.js'
import { placeOf, writeChecked } from './write-file.js'

interface DownloadRequest {
  readonly job?: string | undefined
  /** Paths, in which `*` stands for any characters; all without any. */
  readonly path?: readonly string[] | undefined
  readonly dir?: string | undefined
  readonly force?: boolean | undefined
}

/**
 * Downloads artifacts one after another, past errors. The exit code is that of the failures when
 * they agree, else 1.
 */
export async function downloadArtifacts(
  context: Context,
  build: BuildPath,
  request: DownloadRequest,
): Promise<void> {
  const { io, out, signal, progress } = context
  const wanted = await chosen(context, build, request)
  const { dir = '.', force = false } = request
  const folder = { path: resolve(io.cwd, dir), platform: io.platform, force }
  const ci = await context.ci()
  const done: object[] = []
  const failures = failuresOf(context, wanted.length > 1)
  for (const artifact of wanted) {
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
      const place = await placeOf(folder, path)
      const content = await ci.artifacts.content({ ...build, job_id, artifact_id: id }, { signal })
      const size = await writeChecked(place, content, expected, force)
      const record = { id, job_id, path, file: place, file_size: size, sha1sum: expected.sha1sum }
      done.push(record)
      if (out.mode !== 'json') await out.value(record, () => [say`${shortPlace(place, io.cwd)}`])
    } catch (error) {
      await failures.tell(told(error, path))
    } finally {
      work.stop()
    }
  }
  if (out.mode === 'json') await out.values(done)
  failures.end()
}

function told(error: unknown, path: string): unknown {
  const code =
    error instanceof Error && 'syscall' in error && 'path' in error ? errorCode(error) : null
  if (code === null) return error
  return new CommandError(
    'unavailable',
    say`cannot write the artifact ${JSON.stringify(path)} (${code})`,
    {
      cause: error,
    },
  )
}

function shortPlace(place: string, cwd: string): string {
  return isAbsolute(place) && place.startsWith(`${cwd}/`) ? place.slice(cwd.length + 1) : place
}

async function chosen(
  context: Context,
  build: BuildPath,
  { job, path: paths }: DownloadRequest,
): Promise<Artifact[]> {
  const pages = await artifactPages(context, build, job, 100)
  const patterns = paths?.map(patternOf)
  const found: Artifact[] = []
  for await (const { items } of pages) {
    found.push(
      ...items.filter(
        ({ path = '' }) => patterns === undefined || patterns.some((one) => one.test(path)),
      ),
    )
  }
  if (found.length === 0) {
    const name = reference(build, build.number)
    throw new CommandError('not_found', say`build ${name} has no such artifact`, {
      hint: ['artifacts', 'list', name],
    })
  }
  const seen = new Set<string>()
  for (const { path = '' } of found) {
    if (seen.has(path)) {
      throw usageError(say`two of these artifacts have the path ${JSON.stringify(path)}`, {
        lines: [say`Choose the job with --job`],
      })
    }
    seen.add(path)
  }
  return found
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}
