import { command } from '../../context/base-command.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { startServer } from '../../server/start.js'

export const Command = command({
  summary: 'Start the reference server',
  description:
    'All arguments are those of ci-mock-server; ci server start --help lists them. One is of this program: --set-context NAME makes the server the default context.',
  usage: '[--set-context NAME] [ARGS...]',
  examples: ['ci server start --set-context local', 'ci server start --port 0 --seed empty'],
  async execute(context, { tail }) {
    const code = await startServer(context, tail)
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  },
})
