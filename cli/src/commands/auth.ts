import { loginFlags } from '../auth/flags.js'
import { tokenOf } from '../auth/stored.js'
import { command } from '../context/base-command.js'
import { switchFlag } from '../flags/flags.js'
import { say } from '../io/printable.js'

export const login = command({
  summary: 'Log in with a code that you approve in a browser, or with a token from stdin',
  description:
    'You can approve the code on any device. The token is stored in the system keyring; without ' +
    'a keyring it is stored in a file.',
  operations: ['oauth.deviceAuthorization', 'oauth.token', 'accessToken.get', 'user.get'],
  examples: [
    'ci auth login --context acme --client-id CLIENT_ID',
    'pass show ci | ci auth login --with-token',
  ],
  flags: loginFlags,
  async execute(context, { flags }) {
    const { login } = await import('../auth/login.js')
    await login(context, flags)
  },
})

export const status = command({
  summary: 'Show the logins: user, server, scopes and expiry',
  operations: ['accessToken.get', 'user.get'],
  examples: ['ci auth status', 'ci auth status --all --json'],
  flags: { all: switchFlag({ summary: 'All contexts' }) },
  async execute(context, { flags }) {
    const { showStatus } = await import('../auth/status.js')
    await showStatus(context, flags.all === true)
  },
})

export const token = command({
  summary: 'Print the access token of this context; renew it first if necessary',
  examples: [
    'ci auth token --context acme',
    'curl -H "Authorization: Bearer $(ci auth token)" "$URL"',
  ],
  async execute(context) {
    const { io, notes, out, signal } = context
    const credential = await context.credential()
    const { value: token } = await tokenOf(credential, signal)
    if (io.stdout.isTTY)
      notes.note(say`This is ${credential.label}. Every program that has it can act as you.`)
    await out.value({ access_token: token }, () => [say`${token}`])
  },
})

export const logout = command({
  summary: 'Revoke the stored token and delete it',
  operations: ['accessToken.revoke'],
  examples: ['ci auth logout --context acme', 'ci auth logout --all'],
  flags: {
    all: switchFlag({ summary: 'Of all contexts' }),
    'keep-remote': switchFlag({
      summary: 'Delete the token here only; it stays valid on the server',
    }),
  },
  async execute(context, { flags }) {
    const { logout } = await import('../auth/logout.js')
    await logout(context, flags.all === true, flags['keep-remote'] === true)
  },
})
