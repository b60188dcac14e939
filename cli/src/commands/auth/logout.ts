import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { switchFlag } from '../../flags/flags.js'

/** `ci auth logout` */
export class AuthLogout extends BaseCommand<typeof AuthLogout> {
  static override summary = 'Revoke the stored token and forget it'
  static override operations = ['accessToken.revoke']
  static override examples = ['ci auth logout --context acme', 'ci auth logout --all']
  static override flags = {
    all: switchFlag({ summary: 'Of all contexts' }),
    'keep-remote': switchFlag({ summary: 'Forget it here, and leave it valid on the server' }),
  }

  protected async execute(context: Context, { flags }: Input<typeof AuthLogout>): Promise<void> {
    const { logout } = await import('../../auth/logout.js')
    await logout(context, { all: flags.all === true, keepRemote: flags['keep-remote'] === true })
  }
}
