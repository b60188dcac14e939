import { parseDuration } from '../../flags/duration.js'
import { choiceFlag, type FlagValues, parsedFlag, textFlag, wordsFlag } from '../../flags/flags.js'

export const mintFlags = {
  subject: textFlag({ helpValue: 'MAIL', summary: 'The user the token acts as' }),
  scope: wordsFlag({ helpValue: 'SCOPE', summary: "What the token may do (by itself: the application's default)" }),
  'expires-in': parsedFlag(parseDuration, {
    helpValue: 'DUR',
    summary: "How long it lives, at most the application's limit",
  }),
  'client-id': textFlag({ helpValue: 'ID', summary: 'The application that signs' }),
  key: textFlag({ helpValue: 'FILE|-', summary: 'Its private key: PEM or JWK' }),
  kid: textFlag({ helpValue: 'ID', summary: 'Name of the key, where the key itself has none' }),
  alg: choiceFlag('alg', ['RS256', 'ES256'], { summary: 'Signature algorithm; it follows the key' }),
}

export type MintFlagValues = FlagValues<typeof mintFlags>
