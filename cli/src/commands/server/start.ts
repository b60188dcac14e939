import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { startServer } from '../../server/start.js'

/** `ci server start`: its arguments are the server's, but for one. */
export class ServerStart extends BaseCommand<typeof ServerStart> {
  static override summary = 'Start the reference server'
  static override description =
    'All arguments are those of ci-mock-server; ci server start --help lists them. One is of this program: --set-context NAME makes the server the default context.'
  static override usage = '[--set-context NAME] [ARGS...]'
  static override examples = ['ci server start --set-context local', 'ci server start --port 0 --seed empty']

  protected async execute(context: Context, { tail }: Input<typeof ServerStart>): Promise<void> {
    const code = await startServer(context, tail)
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  }
}
