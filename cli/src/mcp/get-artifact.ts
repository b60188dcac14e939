import { isUtf8 } from 'node:buffer'
import type { Artifact, JobPath } from '@buildwire/sdk/contract'
import { CommandError } from '../io/command-error.js'
import { type Printable, reference, say } from '../io/printable.js'
import { shownPath } from '../jobs/target-path.js'
import { checkedContent } from '../jobs/write-file.js'
import type { LogPart } from '../logs/read-log.js'
import { artifacts } from '../views/records.js'
import { collectLines, collectorFor, inTime, lineInputs } from './collect-lines.js'
import { shortRecord } from './records.js'
import { type ToolCall, tool } from './tool.js'
import { toolFor } from './tool-hints.js'

/** A larger artifact is refused: only a content that is read to its end can be checked. */
const MOST_BYTES = 8 * 1024 * 1024
/** The artifact is looked for in so many pages of the job's list. */
const MOST_PAGES = 10
const PAGE_ITEMS = 100

export const getArtifact = tool({
  name: 'get_artifact',
  description:
    'The text of a file that a job left, of 8 MiB at most: from its beginning, or from a byte on, or the lines with a text.',
  effect: 'reads',
  operation: 'artifacts.download',
  extraInputs: lineInputs,
  async call({ from_byte = 0, search, context_lines, ...path }, call) {
    const { artifact_id, ...jobPath } = path
    const artifact = await findArtifact(jobPath, artifact_id, call)
    const { log_bytes: _, ...lines } = await inTime(call, async (signal) => {
      const content = await readText(artifact, jobPath, { ...call, signal })
      const open = () => Promise.resolve(partOf(content))
      const collector = collectorFor({ search, context_lines }, call)
      return collectLines({ open, from: Number(from_byte), signal }, collector, call)
    })
    return { record: { ...shortRecord(artifacts, artifact), ...lines } }
  },
})

async function findArtifact(path: JobPath, id: string, { ci, signal }: ToolCall) {
  const pages = ci.artifacts.listForJob({ ...path, per_page: PAGE_ITEMS }, { signal }).byPage()
  let pageCount = 0
  for await (const { items } of pages) {
    const artifact = items.find((each) => each.id.toLowerCase() === id.toLowerCase())
    if (artifact !== undefined) return artifact
    pageCount += 1
    if (pageCount === MOST_PAGES) break
  }
  throw new CommandError('not_found', say`the job has no artifact ${id}`, {
    hint: say`list_artifacts with job_id`,
  })
}

/** The content of an artifact, which is whole, has its checksum and is text. */
async function readText(
  artifact: Artifact,
  path: JobPath,
  { ci, signal }: ToolCall,
): Promise<Uint8Array> {
  const { id: artifact_id, path: name = '', state = 'finished', file_size, sha1sum } = artifact
  const title = shownPath(name)
  const words = ['artifacts', 'download', reference(path, path.number), '--path', name]
  const unread = (why: Printable) =>
    new CommandError('rejected', say`the artifact ${title} ${why}`, {
      hint: toolFor(words.map(String)),
    })
  if (state !== 'finished') throw unread(say`is ${state}: it has no content`)
  if ((file_size ?? 0) > MOST_BYTES)
    throw unread(say`has ${file_size ?? 0} bytes: 8 MiB can be read`)

  const content = await ci.artifacts.content({ ...path, artifact_id }, { signal })
  const expected = { file_size: file_size ?? null, sha1sum: sha1sum ?? null }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const bytes of checkedContent(name, content, expected)) {
    size += bytes.byteLength
    if (size > MOST_BYTES) throw unread(say`has more than ${MOST_BYTES} bytes: 8 MiB can be read`)
    parts.push(bytes)
  }
  const whole = Buffer.concat(parts)
  if (whole.includes(0) || !isUtf8(whole)) throw unread(say`is not text`)
  return whole
}

function partOf(content: Uint8Array): LogPart {
  async function* all(): AsyncGenerator<Uint8Array, void> {
    yield content
  }
  const size = content.byteLength
  return { offset: 0, size, partial: false, isEmpty: size === 0, [Symbol.asyncIterator]: all }
}
