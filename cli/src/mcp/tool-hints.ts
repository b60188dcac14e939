import type { ErrorReport, RunFacts } from '../io/error-report.js'
import { commandLine, type Printable, say } from '../io/printable.js'

/** The tools that do what a command of `ci` does. */
const TOOLS: Readonly<Record<string, string>> = {
  'organizations list': 'list_organizations',
  'pipelines list': 'list_pipelines',
  'builds list': 'list_builds',
  'builds get': 'get_build',
  'builds open': 'get_build, which has the web_url of the page',
  'builds logs': 'read_job_log',
  'builds retry': 'retry_failed_jobs',
  'builds create': 'create_build',
  'artifacts list': 'list_artifacts',
}

/** What a client can do instead of an operation that the service does not offer. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  'organizations.list': 'pass org_slug; the user knows it',
  'pipelines.list': 'pass pipeline_slug; the user knows it',
  'user.get': 'pass the id of the user instead of me',
}

/** A command as advice for a client: the tool for it, or what the user can run. */
export function toolFor(words: readonly (string | number)[]): Printable {
  const tool = TOOLS[words.slice(0, 2).join(' ')]
  return tool === undefined ? say`the user can run ${commandLine(words)}` : say`${tool}`
}

/** The facts of a run whose advice names tools. */
export function factsForTools(facts: RunFacts): RunFacts {
  return { ...facts, command: toolFor }
}

/** The report of an error whose advice names inputs of tools, not flags. */
export function reportForTools(report: ErrorReport, { credential }: RunFacts): ErrorReport {
  const { code, operationId = '', lines = [] } = report
  const replacement = REPLACEMENTS[operationId]
  const isNotOffered = code === 'not_found' && String(report.message).includes('does not offer')
  if (isNotOffered && replacement !== undefined)
    return { ...report, lines: lines.slice(0, 1), hint: say`${replacement}` }

  const isAboutToken = code === 'unauthorized' || code === 'insufficient_scope'
  if (isAboutToken && credential === 'BUILDWIRE_TOKEN')
    return { ...report, hint: say`the user can start this server with another BUILDWIRE_TOKEN` }

  if (code !== 'listing_too_deep') return report
  return { ...report, hint: say`list_builds with created_to, or with branch` }
}
