import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { switchFlag } from '../../flags/flags.js'

/** `ci auth status` */
export class AuthStatus extends BaseCommand<typeof AuthStatus> {
  static override summary = 'Show who is logged in where, with which scopes, and until when'
  static override operations = ['accessToken.get', 'user.get']
  static override examples = ['ci auth status', 'ci auth status --all --json']
  static override flags = { all: switchFlag({ summary: 'All contexts' }) }

  protected async execute(context: Context, { flags }: Input<typeof AuthStatus>): Promise<void> {
    const { showStatus } = await import('../../auth/status.js')
    await showStatus(context, flags.all === true)
  }
}
