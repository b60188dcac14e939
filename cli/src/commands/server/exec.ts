import { command } from '../../context/base-command.js'
import { ExitRequest, usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'
import { execWithServer } from '../../server/exec.js'

export const Command = command({
  summary: 'Run a program beside a reference server of its own',
  description:
    'Starts a server on a free port, sets BUILDWIRE_BASE_URL, AUTH_URL, WEB_URL, TOKEN, ORG, CONTROL_URL and CONTROL_TOKEN for the program, and stops the server when the program ends. Exits as the program does.',
  usage: '[ARGS...] -- CMD...',
  tail: true,
  examples: ["ci server exec -- sh -c 'ci builds list'", 'ci server exec --seed empty -- npm test'],
  async execute({ io, interrupts }, { tail }) {
    const cut = tail.indexOf('--')
    const program = cut === -1 ? [] : tail.slice(cut + 1)
    if (program.length === 0) {
      throw usageError(say`no program is named; it stands after --`, {
        hint: ['server', 'exec', '--', 'ci', 'builds', 'list'],
      })
    }
    interrupts.release()
    const code = await execWithServer(io, tail.slice(0, cut), program)
    if (code !== 0) throw new ExitRequest(code)
  },
})
