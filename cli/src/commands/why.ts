import { type FailureSummary, summarizeFailure } from '@buildwire/sdk'
import { command } from '../context/base-command.js'
import { choiceFlag, numberFlag, switchFlag, textArg, textFlag } from '../flags/flags.js'
import { jobOfUrl } from '../flags/number.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

const fields = [
  'build',
  'outcome',
  'headline',
  'before',
  'passed_after',
  'jobs',
  'problems',
  'not_run',
  'annotations',
  'truncated',
] as const satisfies readonly (keyof FailureSummary)[]

export const why = command({
  summary: 'Show why a build failed, with the important log lines',
  description:
    'Without BUILD: the newest failed or failing build of the current branch; with -p of ' +
    'another pipeline, of any branch. The URL of a job explains that job.',
  operations: ['builds.get', 'builds.listForPipeline', 'jobs.logText', 'annotations.list'],
  fields,
  examples: ['ci why', 'ci why web#42 --json --max-bytes 8000', 'ci why --format markdown'],
  args: {
    build: textArg({ description: 'A build: 42, web#42, acme/web#42, @latest, or its URL' }),
  },
  flags: {
    branch: textFlag({
      char: 'b',
      helpValue: 'NAME',
      summary: 'The newest failed build of this branch',
    }),
    format: choiceFlag('format', ['text', 'markdown'], {
      summary: 'Text for people, or Markdown for a comment',
    }),
    'max-bytes': numberFlag('max-bytes', 1_024, {
      max: 1_000_000,
      helpValue: 'N',
      summary: 'Largest size of the summary in bytes, as JSON (32768)',
    }),
    'no-history': switchFlag({
      summary: 'Do not read earlier builds and their logs to say whether the failure is new',
    }),
  },
  async execute(context, { args, flags }) {
    const { out, looks, io, signal, command } = context
    if (out.machine && flags.format !== undefined)
      throw usageError(say`--format and JSON output cannot be used together`)
    const states = ['failed', 'failing'] as const
    const job_id = jobOfUrl(args.build)
    const path = await context.target.build(args.build, { branch: flags.branch, states })
    // The line feed after the JSON counts too.
    const maxBytes = (flags['max-bytes'] ?? 32_768) - 1
    const history = flags['no-history'] !== true
    const options = { maxBytes, job_id, history, signal }
    const summary = await summarizeFailure(await context.ci(), path, options)
    if (out.machine) return out.value(await out.chosen(summary), () => [], true)
    const { nextCommands } = await import('../views/summary.js')
    const next = nextCommands(summary, job_id !== undefined, command)
    if (flags.format === 'markdown') {
      const { summaryMarkdown } = await import('../views/summary-markdown.js')
      return out.lines(summaryMarkdown(summary, next))
    }
    const { codeLocations } = await import('../context/git/code-location.js')
    const { summaryText } = await import('../views/summary-text.js')
    const width = io.stdout.isTTY ? io.stdout.columns : null
    const location = await codeLocations(context, summary.problems)
    await out.lines(
      summaryText(summary, next, { looks, width, now: context.clock.now(), location }),
    )
  },
})
