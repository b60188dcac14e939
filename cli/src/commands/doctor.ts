import { BaseCommand, type Input } from '../base-command.js'
import type { Context } from '../context.js'
import { runChecks } from '../doctor/checks.js'
import { ExitCode } from '../exit-codes.js'
import { switchFlag } from '../flags/flags.js'
import { ExitRequest } from '../io/command-error.js'
import { sanitize } from '../io/sanitize.js'
import { tsvLine } from '../io/tsv.js'

/** `ci doctor` */
export class Doctor extends BaseCommand<typeof Doctor> {
  static override summary = 'Check the set-up: files, variables, server, token'
  static override operations = ['accessToken.get']
  static override examples = ['ci doctor', 'ci doctor --offline --json']
  static override flags = { offline: switchFlag({ summary: 'Ask no server' }) }

  protected async execute(context: Context, { flags }: Input<typeof Doctor>): Promise<void> {
    const { out, looks } = context
    const checks = await runChecks(context, this.config.version, flags.offline === true)
    if (out.machine) await out.values(checks)
    else if (out.mode === 'table') {
      const width = Math.max(...checks.map(({ name }) => name.length))
      const mark = (ok: boolean) => (ok ? (looks.ascii ? '+' : '✓') : looks.ascii ? 'x' : '✗')
      await out.lines(
        checks.map(({ ok, name, value, source }) => {
          const label = looks.plain ? `${ok ? 'ok' : 'fault'}: ` : `${looks.paint(ok ? 'green' : 'red', mark(ok))} `
          return `${label}${name.padEnd(width)}  ${sanitize(value)}${source === null ? '' : looks.paint('dim', `  (${sanitize(source)})`)}`
        }),
      )
    } else {
      await out.lines(checks.map(({ ok, name, value, source }) => tsvLine([ok, name, value, source]).trimEnd()))
    }
    if (checks.some(({ ok }) => !ok)) throw new ExitRequest(ExitCode.negative)
  }
}
