import { isCiError, parseTimestamp } from '@buildwire/sdk'
import { readContexts } from '../config/contexts.js'
import { ownContextName, type Settings } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { labelled } from '../context/labelled.js'
import { CommandError, ExitRequest } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import { variable } from '../io/io.js'
import { blank, type Printable, say } from '../io/printable.js'
import { duration, moment } from '../io/time.js'
import { markOf, markText } from '../views/marks.js'
import { type Identity, identify } from './identity.js'
import { settingsOf, storedClient } from './login-of.js'
import { scopeWords } from './scopes.js'
import type { StoredCredential } from './stored-credential.js'
import { storeOf } from './stores.js'

type LoginStatus = ReturnType<typeof toStatus>

/** Shows the login in effect, or those of all contexts. */
export async function showStatus(context: Context, all: boolean): Promise<void> {
  if (!all) {
    const status = await statusInEffect(context)
    return context.out.value(status, () => lines(status, context))
  }
  const { contexts, current } = await readContexts(context.io)
  if (contexts.size === 0 && !context.out.machine) {
    throw new CommandError('signed_out', say`no context is set, so none is logged in`, { hint: ['auth', 'login'] })
  }
  const found: LoginStatus[] = []
  for (const name of contexts.keys()) found.push(await statusOf(context, name, name === current))
  await context.out.value(found, () =>
    found.flatMap((status, at) => [...(at === 0 ? [] : [blank]), ...lines(status, context)]),
  )
  if (!found.some(({ loggedIn }) => loggedIn)) throw new ExitRequest(ExitCode.signed_out)
}

async function statusInEffect(context: Context): Promise<LoginStatus> {
  const settings = await context.settings()
  const { label } = await context.credential()
  const stored = label === 'BUILDWIRE_TOKEN' ? null : await load(context, settings)
  const identity = await identify(await context.ci(), context.signal)
  const own = ownContextName(settings)
  const { current } = await readContexts(context.io).catch(() => ({ current: null }))
  return toStatus(settings, identity, stored, own !== null && own === current, label)
}

async function statusOf(context: Context, name: string, isDefault: boolean): Promise<LoginStatus> {
  const settings = await settingsOf(context, name)
  const none = { user: null, scopes: null, expires_at: null, description: null, uuid: null }
  const failed = (problem: string): LoginStatus => ({
    ...toStatus(settings, none, null, isDefault, null),
    loggedIn: false,
    problem,
  })
  try {
    const ci = await storedClient(context, settings)
    if (ci === null) return failed('not logged in')
    const identity = await identify(ci, context.signal)
    return toStatus(settings, identity, await load(context, settings), isDefault, null)
  } catch (error) {
    if (error instanceof CommandError || isCiError(error)) return failed(error.message)
    throw error
  }
}

async function load(tools: Context, settings: Settings): Promise<StoredCredential | null> {
  const { context, contextName } = settings
  if (context?.store === undefined || contextName === null) return null
  const store = await storeOf(context.store, tools)
  return store.load(contextName)
}

function toStatus(
  settings: Settings,
  identity: Identity,
  stored: StoredCredential | null,
  isDefault: boolean,
  label: string | null,
) {
  return {
    context: ownContextName(settings),
    isDefault,
    baseUrl: settings.baseUrl.value,
    loggedIn: true,
    /** Whether the server has said anything about the token. */
    checked: Object.values(identity).some((fact) => fact !== null),
    user: identity.user,
    scopes: identity.scopes ?? scopeWords(stored?.scope ?? ''),
    /** Epoch milliseconds; null when no end is known. */
    expiresAt: stored?.expiresAt ?? parseTimestamp(identity.expires_at),
    /** Where the token is: a store, or BUILDWIRE_TOKEN. */
    store: label === 'BUILDWIRE_TOKEN' ? label : (settings.context?.store ?? null),
    renewed: stored?.refresh_token !== undefined,
    /** Why it cannot be used; null when it can. */
    problem: null as string | null,
  }
}

function lines(status: LoginStatus, context: Context): Printable[] {
  const { looks, clock, io } = context
  const paint = looks.paint
  const look = markOf(status.loggedIn ? 'passed' : 'failed')
  const url = say`${status.baseUrl}`
  const name = status.context === null ? paint('bold', url) : say`${paint('bold', status.context)} at ${url}`
  const title = say`${paint(look.style, say`${markText(look, looks)}`)}${name}`
  const fact = (label: string, text: string) => labelled(context, label, text)
  const { expiresAt } = status
  const left = expiresAt === null ? 0 : expiresAt - clock.now()
  const how = left > 0 ? `expires in ${duration(left)}` : 'expired'
  const end = expiresAt === null ? 'no known end' : `${how} (${moment(expiresAt, looks.utc)})`
  const places: Readonly<Record<string, string>> = { file: 'in the credentials file', keyring: 'in the system keyring' }
  const place = places[status.store ?? ''] ?? status.store
  const token = [place, status.renewed ? 'renewed automatically' : null, end].filter((part) => part !== null)
  const wins = variable(io, 'TOKEN') !== undefined && status.store !== 'BUILDWIRE_TOKEN'
  return [
    say`${title}${status.isDefault ? ' (default)' : ''}`,
    ...(status.problem === null ? [] : fact('problem', status.problem)),
    ...(status.user === null ? [] : fact('user', status.user)),
    ...(status.scopes.length === 0 ? [] : fact('scopes', status.scopes.join(' '))),
    ...(status.loggedIn ? fact('token', token.join(', ')) : []),
    ...(status.loggedIn && !status.checked ? fact('note', 'this server does not tell about tokens: unchecked') : []),
    ...(wins ? fact('note', 'BUILDWIRE_TOKEN is set and wins, except under --context') : []),
  ]
}
