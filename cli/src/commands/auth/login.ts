import { loginFlags } from '../../auth/login-flags.js'
import { command } from '../../context/base-command.js'

export const Command = command({
  summary: 'Log in by a code that you approve in a browser, or with a token from stdin',
  description:
    'The code may be approved on any device. The token is kept in the system keyring, or in a file where there is none.',
  operations: ['oauth.deviceAuthorization', 'oauth.token', 'accessToken.get', 'user.get'],
  examples: ['ci auth login --context acme --client-id CLIENT_ID', 'pass show ci | ci auth login --with-token'],
  flags: loginFlags,
  async execute(context, { flags }) {
    const { login } = await import('../../auth/login.js')
    await login(context, flags)
  },
})
