import { BaseCommand, type Input } from '../../base-command.js'
import type { Context } from '../../context.js'
import { ExitCode } from '../../exit-codes.js'
import { ExitRequest } from '../../io/command-error.js'
import { loadServer } from '../../server/load.js'

/** `ci server start`: its arguments are the server's. */
export class ServerStart extends BaseCommand<typeof ServerStart> {
  static override summary = 'Start the reference server'
  static override description = 'All arguments are those of ci-mock-server; ci server start --help lists them.'
  static override usage = '[ARGS...]'
  static override examples = ['ci server start', 'ci server start --port 0 --seed empty']

  protected async execute({ interrupts, io }: Context, { tail }: Input<typeof ServerStart>): Promise<void> {
    const { run } = await loadServer()
    // The server drains by its own rules; two owners of one signal would cut it short.
    interrupts.release()
    const code = await run(tail, { env: io.env })
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  }
}
