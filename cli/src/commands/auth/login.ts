import { DEFAULT_SCOPES } from '../../auth/scopes.js'
import { command } from '../../context/base-command.js'
import { switchFlag, textFlag, wordsFlag } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Log in by a code that you approve in a browser, or with a token from stdin',
  description:
    'The code may be approved on any device. The token is kept in the system keyring, or in a file where there is none.',
  operations: ['oauth.deviceAuthorization', 'oauth.token', 'accessToken.get', 'user.get'],
  examples: ['ci auth login --context acme --client-id CLIENT_ID', 'pass show ci | ci auth login --with-token'],
  flags: {
    scope: wordsFlag({ helpValue: 'SCOPE', summary: `What the token may do (${DEFAULT_SCOPES.join(',')})` }),
    'client-id': textFlag({ helpValue: 'ID', summary: 'The application to log in with; kept in the context' }),
    'with-token': switchFlag({ summary: 'Read an access token from stdin instead' }),
    'no-browser': switchFlag({ summary: 'Never open a browser' }),
    'insecure-storage': switchFlag({ summary: 'Keep the token in a file, although there may be a keyring' }),
  },
  async execute(context, { flags }) {
    const { deviceLogin, tokenLogin } = await import('../../auth/login.js')
    if (flags['with-token'] !== true) return deviceLogin(context, flags)
    if (flags.scope !== undefined)
      throw usageError(say`--scope and --with-token exclude each other: the token has its scopes`)
    return tokenLogin(context, flags)
  },
})
