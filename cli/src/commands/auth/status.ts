import { command } from '../../context/base-command.js'
import { switchFlag } from '../../flags/flags.js'

export const Command = command({
  summary: 'Show who is logged in where, with which scopes, and until when',
  operations: ['accessToken.get', 'user.get'],
  examples: ['ci auth status', 'ci auth status --all --json'],
  flags: { all: switchFlag({ summary: 'All contexts' }) },
  async execute(context, { flags }) {
    const { showStatus } = await import('../../auth/status.js')
    await showStatus(context, flags.all === true)
  },
})
