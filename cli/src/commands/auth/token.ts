import { tokenOf } from '../../auth/stored.js'
import { command } from '../../context/base-command.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Print the access token of this context, renewed if need be',
  examples: ['ci auth token --context acme', 'curl -H "Authorization: Bearer $(ci auth token)" "$URL"'],
  async execute(context) {
    const { io, notes, out, signal } = context
    const credential = await context.credential()
    const { value: token } = await tokenOf(credential, signal)
    if (io.stdout.isTTY) notes.note(say`This is ${credential.label}. Whoever has it can act as you.`)
    await out.value({ access_token: token }, () => [say`${token}`])
  },
})
