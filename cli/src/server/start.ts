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

/** The help of the option that `ci` adds to the server's own help. */
const OWN_HELP = `
Option of ci itself:
  --set-context <name>      make this server the default context, with its
                            token admin
`

/**
 * Runs the server with its arguments and returns its exit code. With `--set-context` the context is
 * written before the ready line, so that a program that reads that line can use the context.
 */
export async function startServer(context: Context, words: readonly string[]): Promise<number> {
  const { io, interrupts, notes } = context
  const { name, args: serverArgs } = takeSetContext(words)
  // Without a command of the server `start` is added, so that `--help` is about starting it.
  const [first = '-'] = serverArgs
  const isVersionFlag = first === '-V' || first === '--version'
  const lacksCommand = first.startsWith('-') && !isVersionFlag
  const args = lacksCommand ? ['start', ...serverArgs] : serverArgs
  if (name !== null) await probeContexts(context)
  const { run } = await loadServer()
  // The server handles the signals itself, so that it can finish its open requests.
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
  const kept = ready.durable ? '' : ', in memory: --data-dir keeps its state'
  return say`Ready at ${ready.baseUrl} (seed ${ready.seed}${kept})\n  pages  ${ready.webUrl}/\n`
}

const FLAG = '--set-context'

/** Removes `--set-context NAME` from the server's arguments; all others stay as they are. */
export function takeSetContext(words: readonly string[]): {
  name: string | null
  args: readonly string[]
} {
  const options = cutTail(words).head
  const at = options.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`))
  const typed = options[at]
  if (typed === undefined) return { name: null, args: words }
  const attached = typed === FLAG ? undefined : typed.slice(FLAG.length + 1)
  const name = attached ?? options[at + 1]
  if (name === undefined || name.startsWith('-')) throw usageError(say`${FLAG} needs a name`)
  const args = [...words.slice(0, at), ...words.slice(at + (attached === undefined ? 2 : 1))]
  if (takeSetContext(args).name !== null)
    throw usageError(say`${FLAG} was given twice; it takes one name`)
  return { name: contextName(name), args }
}

/**
 * Fields of every context of the demo seed: an organization, and an application for logins by a
 * device code.
 */
const DEMO = { org_slug: 'acme', client_id: 'demo-terminal' } as const

/**
 * Makes the server the default context. Its token `admin` is a test value, so it is saved in the
 * file store.
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
      say`Context ${name} is now the default, without a token: this server has no token named admin`,
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
