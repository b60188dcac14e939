import type { AccessToken } from '@buildwire/sdk'
import { tokenOf } from '../../auth/stored.js'
import { type MintFlagValues, mintFlags } from '../../auth/token/flags.js'
import { command } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { parsedFlag } from '../../flags/flags.js'
import { after } from '../../io/clock.js'
import { ExitRequest, usageError } from '../../io/command-error.js'
import { variable } from '../../io/io.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Run a command with a token in its environment: a freshly minted one, or your own',
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
      throw usageError(say`no command is named; write it behind --`, { hint: ['token', 'exec', '--help'] })
    const token = await tokenFor(context, flags)
    const { runChild } = await import('../../server/run-child.js')
    await notes.flush()
    interrupts.release()
    const left = token.expiresAt === null ? null : token.expiresAt - clock.now()
    const outlived =
      left === null
        ? () => undefined
        : after(left, () => notes.warn(say`the token has expired, and the command still runs`))
    const code = await runChild(io, tail, { [flags['env-name'] ?? 'BUILDWIRE_TOKEN']: token.value })
    outlived()
    if (code !== 0) throw new ExitRequest(code)
  },
})

function variableName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) return name
  throw usageError(say`--env-name takes the name of a variable, not ${JSON.stringify(name)}`)
}

/** Minted where anything says so; else what this context logged in with, renewed. */
async function tokenFor(context: Context, flags: MintFlagValues): Promise<AccessToken> {
  const mints = Object.keys(mintFlags).some((name) => Reflect.get(flags, name) !== undefined)
  if (!mints && variable(context.io, 'SUBJECT') === undefined) {
    return tokenOf(await context.credential(), context.signal)
  }
  const { mintToken } = await import('../../auth/token/exchange.js')
  const { access_token: value, expiresAt } = await mintToken(context, flags)
  return { value, expiresAt }
}
