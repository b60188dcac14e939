import { command } from '../context/base-command.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../flags/flags.js'
import { usageError } from '../io/command-error.js'
import { jsonText, say } from '../io/printable.js'

export const generate = command({
  summary: 'Create a key pair for token exchange',
  description:
    'Writes the private key to a new file that only you can read, and prints the public JWKS ' +
    'to register with the application; --jwks writes that set to a file.',
  examples: [
    'ci keys generate --out signing.pem > jwks.json',
    'ci keys generate --type rsa --jwks jwks.json',
  ],
  flags: {
    type: choiceFlag('type', ['ec', 'rsa'], {
      summary: 'ec is P-256 for ES256 (the default), rsa is for RS256',
    }),
    bits: numberFlag('bits', 2048, {
      max: 4096,
      helpValue: '2048|3072|4096',
      summary: 'Size of an RSA key (3072)',
    }),
    kid: textFlag({
      helpValue: 'ID',
      summary: 'Id of the key (default: its RFC 7638 thumbprint)',
    }),
    out: textFlag({ helpValue: 'FILE', summary: 'File for the private key (./KID.pem)' }),
    format: choiceFlag('format', ['pem', 'jwk'], { summary: 'Format of the private key' }),
    jwks: textFlag({
      helpValue: 'FILE',
      summary: 'File of the public key set; the new key is added',
    }),
    force: switchFlag({ summary: 'Replace an existing file' }),
  },
  async execute(context, { flags }) {
    const { type = 'ec', bits, kid, out, format = 'pem', jwks } = flags
    if (bits !== undefined && type === 'ec')
      throw usageError(say`--bits is for --type rsa; an ec key is always P-256`)
    if (bits !== undefined && ![2048, 3072, 4096].includes(bits)) {
      throw usageError(say`--bits is one of 2048, 3072, 4096, not ${bits}`)
    }
    const { generateKey } = await import('../auth/keys/generate-key.js')
    const made = await generateKey({
      type,
      bits,
      kid,
      out,
      format,
      jwks,
      force: flags.force === true,
    })
    await context.out.value(made.jwks, () => [jsonText(made.jwks)])
    context.notes.note(say`Private key ${made.kid}: ${made.path} (only you can read it)`)
    if (jwks === undefined) return
    context.notes.note(say`Public set: ${jwks}`)
    if (made.jwks.keys.length === 1) return
    context.notes.note(say`Publish old and new keys together for an hour: servers cache the set`)
  },
})
