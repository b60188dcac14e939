import { command } from '../../context/base-command.js'
import { cutTail } from '../../flags/argv.js'
import { ExitRequest, usageError } from '../../io/command-error.js'
import type { Io } from '../../io/io.js'
import { say } from '../../io/printable.js'
import { loadServer } from '../../server/load.js'
import { runChild } from '../../server/run-child.js'

export const Command = command({
  summary: 'Run a program beside a reference server of its own',
  description:
    'Starts a server on a free port, sets BUILDWIRE_BASE_URL, AUTH_URL, WEB_URL, TOKEN, ORG, CONTROL_URL and CONTROL_TOKEN for the program, and stops the server when the program ends. Exits as the program does.',
  usage: '[ARGS...] -- CMD...',
  tail: true,
  examples: ["ci server exec -- sh -c 'ci builds list'", 'ci server exec --seed empty -- npm test'],
  async execute({ io, interrupts }, { tail }) {
    const { head: args, tail: program } = cutTail(tail)
    if (program === null || program.length === 0) {
      throw usageError(say`no program is named; it stands after --`, {
        hint: ['server', 'exec', '--', 'ci', 'builds', 'list'],
      })
    }
    interrupts.release()
    const { run, childVariables } = await loadServer()
    let status: Promise<number> | undefined
    const stop = new AbortController()
    const served = await run([...args, ...quietly(io, args), '--port', '0'], {
      as: 'ci server',
      env: io.env,
      signal: stop.signal,
      onReady: (ready) => {
        status = runChild(io, program, childVariables(ready, io.env)).finally(() => stop.abort())
      },
    })
    const code = status === undefined ? served : await status
    if (code !== 0) throw new ExitRequest(code)
  },
})

/** The program's own output is what counts: the server logs only when it was asked to. */
function quietly(io: Io, args: readonly string[]): string[] {
  const asked = args.some((word) => word === '--log' || word.startsWith('--log='))
  return asked || io.env.BUILDWIRE_MOCK_LOG ? [] : ['--log', 'off']
}
