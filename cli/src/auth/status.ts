import { isCiError, parseTimestamp } from '@buildwire/sdk'
import { readContexts } from '../config/contexts.js'
import type { ServerSettings } from '../config/settings.js'
import type { Context, Credential } from '../context/context.js'
import { CommandError, ExitRequest } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import { variable } from '../io/io.js'
import { blank, type Printable, say } from '../io/printable.js'
import { duration, moment } from '../io/time.js'
import { labelled } from '../views/facts.js'
import { markOf, markText } from '../views/marks.js'
import { identify, isChecked, scopeWords } from './identity.js'
import { settingsOf, storedCredential, tokenOf } from './stored.js'

type LoginStatus = Awaited<ReturnType<typeof statusOf>>

export async function showStatus(context: Context, all: boolean): Promise<void> {
  if (!all) {
    const settings = await context.settings()
    const credential = await context.credential()
    const { current } = await readContexts(context).catch(() => ({ current: null }))
    const isDefault = settings.own !== null && settings.own.name === current
    const status = await statusOf(context, settings, credential, isDefault)
    return context.out.value(status, () => lines(status, context))
  }
  const { contexts, current } = await readContexts(context)
  if (contexts.size === 0 && !context.out.machine) {
    throw new CommandError('signed_out', say`no context is set, so none is logged in`, {
      hint: ['auth', 'login'],
    })
  }
  const statuses: LoginStatus[] = []
  for (const name of contexts.keys()) {
    statuses.push(await storedStatus(context, name, name === current))
  }
  await context.out.value(statuses, () =>
    statuses.flatMap((status, at) => [...(at === 0 ? [] : [blank]), ...lines(status, context)]),
  )
  if (!statuses.some(({ loggedIn }) => loggedIn)) throw new ExitRequest(ExitCode.signed_out)
}

async function storedStatus(
  context: Context,
  name: string,
  isDefault: boolean,
): Promise<LoginStatus> {
  const settings = await settingsOf(context, name)
  try {
    const credential = await storedCredential(context, settings)
    return await statusOf(context, settings, credential ?? 'not logged in', isDefault)
  } catch (error) {
    if (!(error instanceof CommandError) && !isCiError(error)) throw error
    return statusOf(context, settings, error.message, isDefault)
  }
}

/**
 * The status of a credential as its server reports it; `credential` is a text if it is unusable.
 */
async function statusOf(
  context: Context,
  settings: ServerSettings,
  credential: Credential | string,
  isDefault: boolean,
) {
  const { own, baseUrl } = settings
  const usable = typeof credential === 'string' ? null : credential
  const identity =
    usable && (await identify(await context.clientOf(settings, usable.auth), context.signal))
  const token = usable && (await tokenOf(usable, context.signal))
  return {
    context: own?.name ?? null,
    isDefault,
    baseUrl: baseUrl.value,
    loggedIn: usable !== null,
    /** Whether the server provided any fact about the token. */
    checked: identity !== null && isChecked(identity),
    user: identity?.user ?? null,
    scopes: identity?.scopes ?? scopeWords(usable?.scope ?? ''),
    /** Epoch milliseconds; null if no expiry is known. */
    expiresAt: token?.expiresAt ?? parseTimestamp(identity?.expires_at),
    /** The kind of the store that holds the token, or BUILDWIRE_TOKEN. */
    store: usable?.label === 'BUILDWIRE_TOKEN' ? usable.label : (own?.record.store ?? null),
    renewed: usable !== null && typeof usable.auth !== 'string',
    /** The reason why the credential cannot be used; null if it can. */
    problem: typeof credential === 'string' ? credential : null,
  }
}

function lines(status: LoginStatus, context: Context): Printable[] {
  const { looks, clock, io } = context
  const paint = looks.paint
  const mark = markOf(status.loggedIn ? 'passed' : 'failed')
  const url = say`${status.baseUrl}`
  const name =
    status.context === null ? paint('bold', url) : say`${paint('bold', status.context)} at ${url}`
  const title = say`${paint(mark.style, say`${markText(mark, looks)}`)}${name}`
  const fact = (label: string, text: string) => labelled(looks, io.stdout, label, text)
  const expiry = expiryText(status.expiresAt, clock.now(), looks.utc)
  const places: Readonly<Record<string, string>> = {
    file: 'in the credentials file',
    keyring: 'in the system keyring',
  }
  const place = places[status.store ?? ''] ?? status.store
  const token = [place, status.renewed ? 'renewed automatically' : null, expiry].filter(
    (part) => part !== null,
  )
  const isOverridden = variable(io, 'TOKEN') !== undefined && status.store !== 'BUILDWIRE_TOKEN'
  return [
    say`${title}${status.isDefault ? ' (default)' : ''}`,
    ...(status.problem === null ? [] : fact('problem', status.problem)),
    ...(status.user === null ? [] : fact('user', status.user)),
    ...(status.scopes.length === 0 ? [] : fact('scopes', status.scopes.join(' '))),
    ...(status.loggedIn ? fact('token', token.join(', ')) : []),
    ...(status.loggedIn && !status.checked
      ? fact('note', 'this server does not tell about tokens: unchecked')
      : []),
    ...(isOverridden
      ? fact('note', 'BUILDWIRE_TOKEN is set and is used, except with --context')
      : []),
  ]
}

function expiryText(expiresAt: number | null, now: number, utc: boolean): string {
  if (expiresAt === null) return 'no known end'
  const leftMs = expiresAt - now
  const text = leftMs > 0 ? `expires in ${duration(leftMs)}` : 'expired'
  return `${text} (${moment(expiresAt, utc)})`
}
