import { probeContexts } from '../config/change-contexts.js'
import type { Context } from '../context/context.js'
import { bytes } from '../io/machine.js'
import { type Printable, say, whole } from '../io/printable.js'
import { loadServer, type ServerReady } from './load.js'
import { setContext, takeSetContext } from './set-context.js'

/** What the server's own help does not know of. */
const OWN_HELP = `
Option of ci itself:
  --set-context <name>      make this server the default context, with its
                            token admin
`

/**
 * Runs the server with its own arguments to its exit code; with `--set-context` the context is written before the ready
 * line, so that whoever reads that line can use it.
 */
export async function startServer(context: Context, words: readonly string[]): Promise<number> {
  const { io, interrupts, notes } = context
  const { name, args: own } = takeSetContext(words)
  const args = ofStart(own)
  if (name !== null) await probeContexts(context)
  const { run } = await loadServer()
  // The server drains by its own rules; two owners of one signal would cut it short.
  interrupts.release()
  if (name === null) {
    const code = await run(args, { env: io.env, as: 'ci server' })
    if (args.includes('--help') || args.includes('-h')) await io.stdout.write(whole(OWN_HELP))
    return code
  }

  const stop = new AbortController()
  let written: Promise<void> = Promise.resolve()
  const announce = async (ready: ServerReady) => {
    await setContext(context, name, ready)
    await notes.flush()
    await io.stdout.write(readyText(ready, io.stdout.isTTY && !args.includes('--json'))).catch(() => undefined)
  }
  const onReady = (ready: ServerReady) => {
    written = announce(ready)
    written.catch((error: unknown) => stop.abort(error))
  }
  const code = await run(args, { env: io.env, as: 'ci server', signal: stop.signal, onReady })
  await written
  return code
}

/** Names the server's command where none is named, so that `--help` is about starting it. */
function ofStart(args: readonly string[]): readonly string[] {
  const [first = '-'] = args
  return first.startsWith('-') && first !== '-V' && first !== '--version' ? ['start', ...args] : args
}

/** The server's ready line, as the server itself would print it. */
function readyText(ready: ServerReady, forPeople: boolean): Printable | Uint8Array {
  if (!forPeople) return bytes(`${JSON.stringify(ready)}\n`)
  return say`Ready at ${ready.baseUrl} (seed ${ready.seed})\n  pages  ${ready.webUrl}/\n`
}
