import { once } from '../base/once.js'
import type { FoundBuild } from '../domain/build-query.js'
import type { Query } from '../http/query.js'
import type { BuildRecord, PipelineRecord } from '../records/records.js'
import type { RequestContext } from '../request/exchange.js'
import { type BuildPresentationOptions, type Presentation, present } from './present.js'

const open = Buffer.from('[')
const comma = Buffer.from(',')
const close = Buffer.from(']')
const pipelineKey = Buffer.from(',"pipeline":')
const end = Buffer.from('}')

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

const printedPipelines = new WeakMap<PipelineRecord, { facts: string; text: Uint8Array }>()

/** Prints a pipeline. The same bytes are returned until one of its counters changes. */
function printPipeline(show: Presentation, urls: string, pipeline: PipelineRecord): Uint8Array {
  const facts = `${urls} ${show.pipelineFacts(pipeline)}`
  const printed = printedPipelines.get(pipeline)
  if (printed?.facts === facts) return printed.text
  const text = json(show.pipeline(pipeline))
  printedPipelines.set(pipeline, { facts, text })
  return text
}

/** Prints a build without its closing brace: its pipeline, whose counters change, follows. */
function printHead(
  show: Presentation,
  build: BuildRecord,
  options: BuildPresentationOptions,
): Buffer {
  return json(show.build(build, { ...options, excludePipeline: true })).subarray(0, -1)
}

function urlsOf({ urls: { baseUrl, webUrl } }: RequestContext['sandbox']): string {
  return `${baseUrl} ${webUrl}`
}

function pipelineOf(show: Presentation, build: BuildRecord): PipelineRecord | undefined {
  return show.state.get('pipelines', build.pipelineId)
}

/** Prints the answer that is one build, with the latest execution of each job. */
export function printBuild({ sandbox, caller }: RequestContext, build: BuildRecord): Uint8Array {
  const show = present(sandbox, caller)
  const urls = urlsOf(sandbox)
  const head = sandbox.printed.alone.text(build, urls, () => printHead(show, build, {}))
  const pipeline = pipelineOf(show, build)
  const parts =
    pipeline === undefined
      ? [head, end]
      : [head, pipelineKey, printPipeline(show, urls, pipeline), end]
  return sandbox.printed.alone.join(parts, head)
}

/** The query parameters of lists that change how each build is printed. */
type PageOptions = Pick<
  Query<'builds.listForPipeline'>,
  'exclude_jobs' | 'exclude_pipeline' | 'include_paused' | 'include_retried_jobs'
>

/** Prints listed builds; a pipeline is printed once and spliced into each of its builds. */
export function printPage(
  { sandbox, caller }: RequestContext,
  options: PageOptions,
  page: readonly FoundBuild[],
): Uint8Array {
  const { exclude_jobs: excludeJobs, exclude_pipeline: excludePipeline } = options
  const show = present(sandbox, caller)
  const urls = urlsOf(sandbox)
  // Only builds with the usual options are kept: other options are rare.
  const isUsual = !excludeJobs && options.include_paused && !options.include_retried_jobs
  const printed = isUsual ? sandbox.printed.listed : undefined
  const pipelines = new Map<string, Uint8Array>()
  const parts: Uint8Array[] = [open]
  for (const { build, jobs } of page) {
    if (parts.length > 1) parts.push(comma)
    const print = (): Buffer => printHead(show, build, { jobs, excludeJobs, agent: 'short' })
    parts.push(printed?.text(build, urls, print) ?? print())
    const record = pipelineOf(show, build)
    if (!excludePipeline && record !== undefined) {
      const pipeline = once(pipelines, record.id, () => printPipeline(show, urls, record))
      parts.push(pipelineKey, pipeline)
    }
    parts.push(end)
  }
  parts.push(close)
  return printed?.join(parts, parts[1] ?? open) ?? Buffer.concat(parts)
}
