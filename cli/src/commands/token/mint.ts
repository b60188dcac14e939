import { mintFlags } from '../../auth/token/flags.js'
import { command } from '../../context/base-command.js'
import { choiceFlag, switchFlag } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'
import { jsonText, say } from '../../io/printable.js'

export const Command = command({
  summary: 'Exchange a signed assertion for a short-lived token that acts as a user',
  description: 'To use one token for several commands, ci token exec keeps it out of files and of your shell.',
  operations: ['oauth.token'],
  examples: [
    'ci token mint --subject robin@acme.example --org acme --key signing.pem',
    'ci token mint --subject robin@acme.example --org acme --key signing.pem --dry-run',
  ],
  flags: {
    ...mintFlags,
    format: choiceFlag('format', ['token', 'json', 'env', 'header'], { summary: 'Form of the token on stdout' }),
    'assertion-only': switchFlag({ summary: 'Show header and claims of the assertion, and send nothing' }),
    'dry-run': switchFlag({ summary: 'Show the whole request, and send nothing' }),
  },
  async execute(context, { flags }) {
    const { out } = context
    const { mintToken, showExchange } = await import('../../auth/token/exchange.js')
    if (flags['dry-run'] === true || flags['assertion-only'] === true) {
      const sent = await showExchange(context, flags)
      const shown = flags['assertion-only'] === true ? { header: sent?.header, claims: sent?.claims } : sent
      return out.value(shown, () => [jsonText(shown)])
    }
    if (out.machine && flags.format !== undefined && flags.format !== 'json') {
      throw usageError(say`--format ${flags.format} and JSON output exclude each other`)
    }
    const tokens = (await mintToken(context, flags)).reveal()
    const { access_token } = tokens
    const forms = {
      token: () => [say`${access_token}`],
      json: () => [jsonText(tokens)],
      env: () => [say`export BUILDWIRE_TOKEN=${access_token}`],
      header: () => [say`Authorization: Bearer ${access_token}`],
    }
    await out.value(tokens, forms[flags.format ?? 'token'])
  },
})
