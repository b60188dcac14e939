import { command } from '../context/base-command.js'
import { cutTail } from '../flags/argv.js'
import { numberFlag, textsFlag } from '../flags/flags.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { loadServer } from '../server/load.js'
import { runChild } from '../server/run-child.js'

export const start = command({
  summary: 'Start the reference server',
  description:
    'Takes the arguments of ci-mock-server, which ci server start --help lists, and one more: ' +
    '--set-context NAME makes the server the default context.',
  usage: '[--set-context NAME] [ARGS...]',
  examples: ['ci server start --set-context local', 'ci server start --port 0 --seed empty'],
  async execute(context, { tail }) {
    const { startServer } = await import('../server/start.js')
    return startServer(context, tail)
  },
})

export const exec = command({
  summary: 'Start a reference server and run a program with it',
  description:
    'Starts a server on a free port, sets BUILDWIRE_BASE_URL, AUTH_URL, WEB_URL, TOKEN, ORG, ' +
    'CONTROL_URL and CONTROL_TOKEN for the program, and stops the server when the program ends. ' +
    'The exit code is that of the program.',
  usage: '[ARGS...] -- CMD...',
  tail: true,
  examples: ["ci server exec -- sh -c 'ci builds list'", 'ci server exec --seed empty -- npm test'],
  async execute({ io, interrupts }, { tail }) {
    const { head: args, tail: program } = cutTail(tail)
    if (program === null || program.length === 0) {
      throw usageError(say`the program is missing; write it after --`, {
        hint: ['server', 'exec', '--', 'ci', 'builds', 'list'],
      })
    }
    interrupts.release()
    const { run, childVariables } = await loadServer()
    let status: Promise<number> | undefined
    const stop = new AbortController()
    // The user wants the output of the program, so the server logs only on demand.
    const logs =
      args.some((word) => word === '--log' || word.startsWith('--log=')) ||
      io.env.BUILDWIRE_MOCK_LOG
    const served = await run([...args, ...(logs ? [] : ['--log', 'off']), '--port', '0'], {
      as: 'ci server',
      env: io.env,
      signal: stop.signal,
      onReady: (ready) => {
        status = runChild(io, program, childVariables(ready, io.env)).finally(() => stop.abort())
      },
    })
    return status ?? served
  },
})

export const capture = command({
  summary: 'Print a seed like a real pipeline, without personal data',
  description:
    'Reads the newest builds of a pipeline and prints a seed for the reference server. Numbers, ' +
    'states and times are unchanged. People, addresses, texts, branches, commits and values are ' +
    'replaced, equal ones by the same text. Texts keep only common words of builds and the ' +
    'words of --keep. It changes nothing, and reads no logs, annotations or artifacts.',
  operations: ['builds.listForPipeline'],
  examples: [
    'ci server capture -p acme/web --limit 50 > seed.yaml',
    'ci server capture -p acme/web --keep "cart checkout"',
  ],
  flags: {
    limit: numberFlag('limit', 1, {
      char: 'L',
      max: 1000,
      helpValue: 'N',
      summary: 'Read at most N builds (50)',
    }),
    keep: textsFlag({ helpValue: 'WORDS', summary: 'Words to keep in texts' }),
  },
  async execute(context, { flags }) {
    const { org_slug, pipeline_slug } = await context.target.pipeline()
    const { captureSeed } = await import('../server/capture.js')
    await captureSeed(
      context,
      { org_slug, pipeline_slug },
      { limit: flags.limit ?? 50, keep: flags.keep },
    )
  },
})

export const prove = command({
  summary: 'Test a program under faults of the network and the service',
  description:
    'Runs a program with a server without a fault, then once under each fault that it can ' +
    'meet, each time with a new server, and finds harm in its requests. Exits with 0 if it ' +
    'found no harm, 1 if it found harm, 3 if the program fails without a fault. ' +
    'Takes the arguments of ci-mock-server prove, which ci server prove --help lists.',
  usage: '[--only ROW] [--json] [ARGS...] -- CMD...',
  examples: [
    'ci server prove -- npm test',
    'ci server prove --only after-commit/builds.create -- npm test',
    'ci server prove --list',
  ],
  async execute({ io, interrupts }, { tail }) {
    const { run } = await loadServer()
    interrupts.release()
    return run(['prove', ...tail], { env: io.env, as: 'ci server' })
  },
})
