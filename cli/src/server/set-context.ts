import { withLoginLock } from '../auth/refresh-store.js'
import { newCredential } from '../auth/stored-credential.js'
import { storeOf } from '../auth/stores.js'
import { saveContext } from '../config/change-contexts.js'
import { contextName } from '../config/contexts.js'
import { isLoopback } from '../config/server-url.js'
import type { Context } from '../context/context.js'
import { cutTail } from '../flags/argv.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { ServerReady } from './load.js'

const FLAG = '--set-context'

/** Takes `--set-context NAME` out of the server's arguments; all others stay as they are. */
export function takeSetContext(words: readonly string[]): { name: string | null; args: readonly string[] } {
  const own = cutTail(words).head
  const at = own.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`))
  const typed = own[at]
  if (typed === undefined) return { name: null, args: words }
  const attached = typed === FLAG ? undefined : typed.slice(FLAG.length + 1)
  const name = attached ?? own[at + 1]
  if (name === undefined || name.startsWith('-')) throw usageError(say`${FLAG} needs a name`)
  const args = [...words.slice(0, at), ...words.slice(at + (attached === undefined ? 2 : 1))]
  if (takeSetContext(args).name !== null) throw usageError(say`${FLAG} was given twice; it takes one name`)
  return { name: contextName(name), args }
}

/** What the demo seed always has: an organization, and an application that people log in to by a code. */
const DEMO = { org_slug: 'acme', client_id: 'demo-terminal' } as const

type ContextServer = Pick<ServerReady, 'baseUrl' | 'authUrl' | 'webUrl' | 'seed' | 'accessTokens'>

/** Makes the server the default context; its token `admin` goes into the file store, for it is a test value. */
export async function setContext(context: Context, name: string, ready: ContextServer): Promise<void> {
  const { clock, notes } = context
  const { baseUrl, authUrl, webUrl, seed } = ready
  const { admin } = ready.accessTokens
  const record = {
    baseUrl,
    authUrl,
    webUrl,
    ...(seed === 'demo' ? DEMO : {}),
    ...(new URL(baseUrl).protocol === 'http:' && !isLoopback(baseUrl) ? { insecureHttp: true } : {}),
  }
  if (admin === undefined) {
    await saveContext(context, name, () => record, { makeCurrent: true, forgetStore: true })
    notes.note(say`Context ${name} is now the default, without a token: this server did not make one`)
    return
  }
  context.redactor.add(admin)
  const store = await storeOf('file', context)
  const token = { access_token: admin, expiresAt: null, scope: '', client_id: null }
  const credential = newCredential(baseUrl, authUrl, clock.now(), token)
  await withLoginLock(context, name, async () => {
    await store.save(name, credential)
    await saveContext(context, name, () => ({ ...record, store: 'file' }), { makeCurrent: true })
  })
  notes.note(say`Context ${name} is now the default. Try: ci builds list`)
}
