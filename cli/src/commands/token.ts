import type { AccessToken } from '@buildwire/sdk'
import { type MintFlagValues, mintFlags } from '../auth/flags.js'
import { command } from '../context/base-command.js'
import type { Context } from '../context/context.js'
import { choiceFlag, parsedFlag, switchFlag } from '../flags/flags.js'
import { after } from '../io/clock.js'
import { usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { jsonText, say } from '../io/printable.js'
import { labelled } from '../views/facts.js'

export const mint = command({
  summary: 'Exchange a signed assertion for a short-lived token that acts as a user',
  description:
    'To use one token for several commands, ci token exec keeps it out of files and of your shell.',
  operations: ['oauth.token'],
  examples: [
    'ci token mint --subject robin@acme.example --org acme --key signing.pem',
    'ci token mint --subject robin@acme.example --org acme --key signing.pem --dry-run',
  ],
  flags: {
    ...mintFlags,
    format: choiceFlag('format', ['token', 'json', 'env', 'header'], {
      summary: 'Format of the token on stdout',
    }),
    'assertion-only': switchFlag({
      summary: 'Show header and claims of the assertion, and send nothing',
    }),
    'dry-run': switchFlag({ summary: 'Show the whole request, and send nothing' }),
  },
  async execute(context, { flags }) {
    const { out } = context
    const { mintToken, showExchange } = await import('../auth/exchange.js')
    if (flags['dry-run'] === true || flags['assertion-only'] === true) {
      const sent = await showExchange(context, flags)
      const shown =
        flags['assertion-only'] === true ? { header: sent?.header, claims: sent?.claims } : sent
      return out.value(shown, () => [jsonText(shown)])
    }
    if (out.machine && flags.format !== undefined && flags.format !== 'json') {
      throw usageError(say`--format ${flags.format} and JSON output cannot be used together`)
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

export const exec = command({
  summary: 'Run a command with a token in its environment: a new one, or your own',
  operations: ['oauth.token'],
  examples: [
    'ci token exec --subject robin@acme.example --org acme --key signing.pem -- ci builds list',
    'ci token exec --subject robin@acme.example --org acme --key signing.pem --env-name API_TOKEN -- ./deploy.sh',
    'ci token exec --context acme -- ./report.py',
  ],
  tail: true,
  flags: {
    ...mintFlags,
    'env-name': parsedFlag(variableName, {
      helpValue: 'NAME',
      summary: 'The variable that holds the token (BUILDWIRE_TOKEN)',
    }),
  },
  async execute(context, { flags, tail }) {
    const { clock, io, interrupts, notes } = context
    if (tail.length === 0)
      throw usageError(say`the command is missing; write it after --`, {
        hint: ['token', 'exec', '--help'],
      })
    const token = await tokenFor(context, flags)
    const { runChild } = await import('../server/run-child.js')
    await notes.flush()
    interrupts.release()
    const expired = () => notes.warn(say`the token has expired, and the command still runs`)
    const outlived =
      token.expiresAt === null ? undefined : after(token.expiresAt - clock.now(), expired)
    const code = await runChild(io, tail, { [flags['env-name'] ?? 'BUILDWIRE_TOKEN']: token.value })
    outlived?.()
    return code
  },
})

function variableName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) return name
  throw usageError(say`--env-name takes the name of a variable, not ${JSON.stringify(name)}`)
}

/** A minted token if a flag or variable of minting is set, else the token of the login. */
async function tokenFor(context: Context, flags: MintFlagValues): Promise<AccessToken> {
  const mints = Object.keys(mintFlags).some((name) => Reflect.get(flags, name) !== undefined)
  if (!mints && variable(context.io, 'SUBJECT') === undefined) {
    const { tokenOf } = await import('../auth/stored.js')
    return tokenOf(await context.credential(), context.signal)
  }
  const { mintToken } = await import('../auth/exchange.js')
  const { access_token: value, expiresAt } = await mintToken(context, flags, { quiet: true })
  return { value, expiresAt }
}

export const inspect = command({
  summary: 'Show user, scopes and expiry of a token from stdin',
  operations: ['accessToken.get'],
  examples: ['ci token inspect < token.txt', 'ci token inspect --offline < assertion.jwt'],
  flags: {
    offline: switchFlag({ summary: 'Send no request; show only what the text of the token says' }),
  },
  async execute(context, { flags }) {
    const { tokenFromStdin } = await import('../auth/identity.js')
    const token = await tokenFromStdin(context, 'token inspect')
    if (flags.offline === true) {
      const { decodeJwt } = await import('../auth/exchange.js')
      const { header, claims } = decodeJwt(token) ?? {}
      const shape =
        header === undefined
          ? { form: 'opaque', length: token.length }
          : { form: 'jwt', header, claims }
      return context.out.value(shape, () => [jsonText(shape)])
    }
    const ci = await context.clientOf(await context.settings(), token)
    const found = await ci.accessToken.get({ signal: context.signal })
    const facts: readonly (readonly [string, string | null | undefined])[] = [
      ['user', found.user?.email ?? found.user?.name],
      ['scopes', found.scopes.join(' ')],
      ['expires_at', found.expires_at ?? 'never'],
      ['description', found.description],
      ['uuid', found.uuid],
    ]
    const { io, looks } = context
    const person = context.out.mode === 'table' && !looks.plain
    await context.out.value(found, () =>
      facts.flatMap(([name, value]) => {
        if (!value) return []
        return person
          ? labelled(looks, io.stdout, name.replace('_', ' '), value, 12)
          : [say`${name}: ${value}`]
      }),
    )
  },
})
