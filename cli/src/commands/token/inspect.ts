import { command } from '../../context/base-command.js'
import { labelled } from '../../context/labelled.js'
import { switchFlag } from '../../flags/flags.js'
import { jsonText, say } from '../../io/printable.js'

export const Command = command({
  summary: 'Ask what a token from stdin is: whose, with which scopes, until when',
  operations: ['accessToken.get'],
  examples: ['ci token inspect < token.txt', 'ci token inspect --offline < assertion.jwt'],
  flags: { offline: switchFlag({ summary: 'Ask nobody; show what can be read from the text alone' }) },
  async execute(context, { flags }) {
    const { tokenFromStdin } = await import('../../auth/identity.js')
    const token = await tokenFromStdin(context, 'token inspect')
    if (flags.offline === true) {
      const { decodeJwt } = await import('../../auth/token/exchange.js')
      const jwt = decodeJwt(token)
      const shape =
        jwt === null
          ? { form: 'opaque', length: token.length }
          : { form: 'jwt', header: jwt.header, claims: jwt.claims }
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
    const person = context.out.mode === 'table' && !context.looks.plain
    await context.out.value(found, () =>
      facts.flatMap(([name, value]) => {
        if (!value) return []
        return person ? labelled(context, name.replace('_', ' '), value, 12) : [say`${name}: ${value}`]
      }),
    )
  },
})
