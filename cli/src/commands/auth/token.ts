import { currentToken } from '../../auth/stored.js'
import { BaseCommand } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { say } from '../../io/printable.js'

/** `ci auth token` */
export class AuthToken extends BaseCommand<typeof AuthToken> {
  static override summary = 'Print the access token of this context, renewed if need be'
  static override examples = ['ci auth token --context acme', 'curl -H "Authorization: Bearer $(ci auth token)" "$URL"']

  protected async execute(context: Context): Promise<void> {
    const { io, notes, out } = context
    const { label } = await context.credential()
    const { value: token } = await currentToken(context)
    if (io.stdout.isTTY) notes.note(say`This is ${label}. Whoever has it can act as you.`)
    await out.value({ access_token: token }, () => [say`${token}`])
  }
}
