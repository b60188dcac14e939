import { withLoginLock } from '../auth/renewal.js'
import { newCredential } from '../auth/stored-credential.js'
import { storeOf } from '../auth/stores.js'
import { contextName } from '../config/contexts.js'
import { probeContexts, saveContext } from '../config/own-files.js'
import { isLoopback } from '../config/server-url.js'
import type { Context } from '../context/context.js'
import { cutTail } from '../flags/argv.js'
import { usageError } from '../io/command-error.js'
import { bytes } from '../io/machine.js'
import { type Printable, say, whole } from '../io/printable.js'
import { loadServer, type ServerReady } from './load.js'

/** What the server's own help does not know of. */
const OWN_HELP = `
Option of ci itself:
  --set-context <name>      make this server the default context, with its
                            token admin
`

/**
 * Runs the server with its own arguments to its exit code; with `--set-context` the context is
 * written before the ready line, so that whoever reads that line can use it.
 */
export async function startServer(context: Context, words: readonly string[]): Promise<number> {
  const { io, interrupts, notes } = context
  const { name, args: own } = takeSetContext(words)
  // The server's command is named where none is, so that `--help` is about starting it.
  const [first = '-'] = own
  const args =
    first.startsWith('-') && first !== '-V' && first !== '--version' ? ['start', ...own] : own
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
    await io.stdout
      .write(readyText(ready, io.stdout.isTTY && !args.includes('--json')))
      .catch(() => undefined)
  }
  const onReady = (ready: ServerReady) => {
    written = announce(ready)
    written.catch((error: unknown) => stop.abort(error))
  }
  const code = await run(args, { env: io.env, as: 'ci server', signal: stop.signal, onReady })
  await written
  return code
}

/** The server's ready line, as the server itself would print it. */
function readyText(ready: ServerReady, forPeople: boolean): Printable | Uint8Array {
  if (!forPeople) return bytes(`${JSON.stringify(ready)}\n`)
  return say`Ready at ${ready.baseUrl} (seed ${ready.seed})\n  pages  ${ready.webUrl}/\n`
}

const FLAG = '--set-context'

/** Takes `--set-context NAME` out of the server's arguments; all others stay as they are. */
export function takeSetContext(words: readonly string[]): {
  name: string | null
  args: readonly string[]
} {
  const own = cutTail(words).head
  const at = own.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`))
  const typed = own[at]
  if (typed === undefined) return { name: null, args: words }
  const attached = typed === FLAG ? undefined : typed.slice(FLAG.length + 1)
  const name = attached ?? own[at + 1]
  if (name === undefined || name.startsWith('-')) throw usageError(say`${FLAG} needs a name`)
  const args = [...words.slice(0, at), ...words.slice(at + (attached === undefined ? 2 : 1))]
  if (takeSetContext(args).name !== null)
    throw usageError(say`${FLAG} was given twice; it takes one name`)
  return { name: contextName(name), args }
}

/**
 * What the demo seed always has: an organization, and an application that people log in to by a
 * code.
 */
const DEMO = { org_slug: 'acme', client_id: 'demo-terminal' } as const

/**
 * Makes the server the default context; its token `admin` goes into the file store, for it is a
 * test value.
 */
async function setContext(context: Context, name: string, ready: ServerReady): Promise<void> {
  const { clock, notes } = context
  const { baseUrl, authUrl, webUrl, seed } = ready
  const { admin } = ready.accessTokens
  const record = {
    baseUrl,
    authUrl,
    webUrl,
    ...(seed === 'demo' ? DEMO : {}),
    ...(new URL(baseUrl).protocol === 'http:' && !isLoopback(baseUrl)
      ? { insecureHttp: true }
      : {}),
  }
  if (admin === undefined) {
    await saveContext(context, name, () => ({ ...record, store: undefined }), true)
    notes.note(
      say`Context ${name} is now the default, without a token: this server did not make one`,
    )
    return
  }
  context.redactor.add(admin)
  const store = await storeOf('file', context)
  const token = { access_token: admin, expiresAt: null, scope: '', client_id: null }
  const credential = newCredential(baseUrl, authUrl, clock.now(), token)
  await withLoginLock(context, name, async () => {
    await store.save(name, credential)
    await saveContext(context, name, () => ({ ...record, store: 'file' }), true)
  })
  notes.note(say`Context ${name} is now the default. Try: ci builds list`)
}
