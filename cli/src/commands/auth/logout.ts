import { command } from '../../context/base-command.js'
import { switchFlag } from '../../flags/flags.js'

export const Command = command({
  summary: 'Revoke the stored token and forget it',
  operations: ['accessToken.revoke'],
  examples: ['ci auth logout --context acme', 'ci auth logout --all'],
  flags: {
    all: switchFlag({ summary: 'Of all contexts' }),
    'keep-remote': switchFlag({ summary: 'Forget it here, and leave it valid on the server' }),
  },
  async execute(context, { flags }) {
    const { logout } = await import('../../auth/logout.js')
    await logout(context, flags.all === true, flags['keep-remote'] === true)
  },
})
