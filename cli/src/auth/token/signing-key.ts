import { type AssertionSigner, createSigner } from '@buildwire/sdk'
import { openMode } from '../../config/json-file.js'
import type { Context } from '../../context/context.js'
import { CommandError, errorCode, usageError } from '../../io/command-error.js'
import { readNamedFile } from '../../io/input.js'
import { variable } from '../../io/io.js'
import { say } from '../../io/printable.js'
import type { MintFlagValues } from './flags.js'

/** The signer of client assertions: `--key`, else BUILDWIRE_PRIVATE_KEY, else BUILDWIRE_PRIVATE_KEY_FILE. */
export async function signingKey(context: Context, { key, kid, alg }: MintFlagValues): Promise<AssertionSigner> {
  const text = await keyText(context, key)
  remember(context, text)
  return createSigner({ key: text, ...(kid === undefined ? {} : { kid }), ...(alg === undefined ? {} : { alg }) })
}

async function keyText(context: Context, key: string | undefined): Promise<string> {
  const { io } = context
  if (key === '-') {
    const text = new TextDecoder().decode(await io.stdin.readAll())
    if (text.trim() === '') throw usageError(say`--key - found no key on stdin`)
    return text
  }
  if (key !== undefined) return keyFile(context, key)
  const value = variable(io, 'PRIVATE_KEY')
  if (value !== undefined) return keyValue(value)
  const file = variable(io, 'PRIVATE_KEY_FILE')
  if (file !== undefined) return keyFile(context, file)
  throw usageError(say`no signing key is named; say --key FILE, BUILDWIRE_PRIVATE_KEY_FILE or BUILDWIRE_PRIVATE_KEY`, {
    hint: ['keys', 'generate'],
  })
}

/** A key in a variable: as it is, or in base64, as places for secrets like it. A path there is a mistake. */
function keyValue(value: string): string {
  const text = value.trim()
  if (text.startsWith('{') || text.includes('-----BEGIN')) return value
  const decoded = Buffer.from(text, 'base64').toString('utf8')
  if (/^[A-Za-z0-9+/_\s-]+=*$/u.test(text) && decoded.includes('-----BEGIN')) return decoded
  if (text.length < 300 && /^(?:[~./\\]|[A-Za-z]:)|\.(?:pem|key|jwk|json)$/u.test(text)) {
    throw new CommandError('configuration', say`BUILDWIRE_PRIVATE_KEY holds a path, not a key`, {
      lines: [say`Name the file in BUILDWIRE_PRIVATE_KEY_FILE, or with --key`],
    })
  }
  return value
}

async function keyFile({ io, notes }: Context, path: string): Promise<string> {
  if ((await openMode(path, io.platform)) !== null) {
    notes.warn(say`${path} can be read by other users; chmod 600 keeps it yours`)
  }
  try {
    return (await readNamedFile(path)).toString('utf8')
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError('configuration', say`cannot read the key ${path} (${errorCode(cause)})`, { cause })
  }
}

/** Neither the key nor a line of it may be told by accident. */
function remember({ redactor }: Context, text: string): void {
  redactor.add(text.trim())
  for (const line of text.split(/\r?\n|\\n/u))
    if (line.length >= 16 && !line.startsWith('-----')) redactor.add(line.trim())
}
