import { command } from '../../context/base-command.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { loadServer } from '../../server/load.js'

export const Command = command({
  summary: 'Prove that a program survives the faults of a network and a service',
  description:
    'Runs a program beside a server without a fault, then once under each fault that it can meet, each time with a server of its own, and judges it by what the server saw. Exits with 0 when nothing was harmed, 1 when something was, 3 when the program fails without a fault. All arguments are those of ci-mock-server prove; ci server prove --help lists them.',
  usage: '[--only ROW] [--json] [ARGS...] -- CMD...',
  examples: [
    'ci server prove -- npm test',
    'ci server prove --only after-commit/builds.create -- npm test',
    'ci server prove --list',
  ],
  async execute({ io, interrupts }, { tail }) {
    const { run } = await loadServer()
    interrupts.release()
    const code = await run(['prove', ...tail], { env: io.env, as: 'ci server' })
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  },
})
