import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { loadServer } from '../../server/load.js'

/** `ci server prove`: all its words are the server program's. */
export class ServerProve extends BaseCommand<typeof ServerProve> {
  static override summary = 'Prove that a program survives the faults of a network and a service'
  static override description =
    'Runs a program beside a server without a fault, then once under each fault that it can meet, each time with a server of its own, and judges it by what the server saw. Exits with 0 when nothing was harmed, 1 when something was, 3 when the program fails without a fault. All arguments are those of ci-mock-server prove; ci server prove --help lists them.'
  static override usage = '[--only ROW] [--json] [ARGS...] -- CMD...'
  static override examples = [
    'ci server prove -- npm test',
    'ci server prove --only after-commit/builds.create -- npm test',
    'ci server prove --list',
  ]

  protected async execute({ io, interrupts }: Context, { tail }: Input<typeof ServerProve>): Promise<void> {
    const { run } = await loadServer()
    interrupts.release()
    const code = await run(['prove', ...tail], { env: io.env, as: 'ci server' })
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  }
}
