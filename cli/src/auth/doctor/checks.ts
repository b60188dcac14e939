import { join } from 'node:path'
import { isCiError } from '@buildwire/sdk'
import { contextFilePath, readContexts } from '../../config/contexts.js'
import { isAtPath, openMode } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import type { Context } from '../../context/context.js'
import type { Target } from '../../context/create-target.js'
import { hintText } from '../../context/errors.js'
import { findRemotes } from '../../context/git/remote.js'
import { CommandError, messageOf } from '../../io/command-error.js'
import { type Io, variable } from '../../io/io.js'

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly value: string
  readonly source: string | null
}

/** Looks at everything that decides what a command does; secrets are named, never shown. */
export async function runChecks(context: Context, offline: boolean): Promise<Check[]> {
  const { io, command, version } = context
  const where = paths(io)
  const fine = (name: string, value: string, source: string | null = null): Check => ({ name, ok: true, value, source })
  const attempt = (name: string, run: () => Promise<Finding>) => attempted(command, name, run)
  const checks: Check[] = [
    fine('version', `ci ${version}, Node ${io.nodeVersion}, ${io.platform}`),
    await fileCheck(io, 'config', contextFilePath(io)),
    await fileCheck(io, 'credentials', join(where.config, 'credentials.json')),
    fine('cache', where.cache),
    await attempt('contexts', async () => {
      const { contexts, current } = await readContexts(io)
      return [[...contexts.keys()].join(', ') || 'none', current === null ? null : `default ${current}`]
    }),
    await attempt('project', async () => [(await context.project())?.path ?? 'no .buildwire.json', null]),
    await attempt('git remotes', async () => {
      const remotes = await findRemotes(context.git)
      return [remotes.map(({ name, location }) => `${name} ${location}`).join(', ') || 'none', null]
    }),
  ]
  for (const name of ['OUTPUT', 'PAGER', 'BROWSER', 'CREDENTIAL_STORE', 'NO_INPUT', 'ASCII', 'PLAIN'] as const) {
    const value = variable(io, name)
    if (value !== undefined) checks.push(fine(name.toLowerCase().replace('_', ' '), value, `BUILDWIRE_${name}`))
  }
  const server = await attempt('server', async () => {
    const { baseUrl } = await context.settings()
    return [baseUrl.value, baseUrl.source]
  })
  checks.push(server)
  if (!server.ok) return checks
  const { authUrl, webUrl, vendor, client_id } = await context.settings()
  checks.push(fine('auth', authUrl.value, authUrl.source), fine('web', webUrl.value, webUrl.source))
  checks.push(fine('vendor', vendor.value, vendor.source))
  if (client_id !== null) checks.push(fine('client_id', client_id.value, client_id.source))
  const token = await attempt('token', async () => ['present', (await context.credential()).label])
  checks.push(token)
  const answer = token.ok && !offline ? await attempt('answer', () => askServer(context)) : null
  if (answer !== null) checks.push(answer)
  const mayAsk = answer?.ok === true
  checks.push(await attempt('organization', () => organization(context.target, mayAsk)))
  checks.push(await attempt('pipeline', () => pipeline(context, mayAsk)))
  return checks
}

type Finding = readonly [value: string, source: string | null]

async function findOrganization(target: Target, mayAsk: boolean) {
  return (await target.findOrganization()) ?? (mayAsk ? await target.onlyOrganization() : null)
}

async function organization(target: Target, mayAsk: boolean): Promise<Finding> {
  const found = await findOrganization(target, mayAsk)
  return found === null ? ['none', 'name one with --org'] : [found.org_slug, found.inferredFrom]
}

/** What a command without `-p` is about. */
async function pipeline({ target, git }: Context, mayAsk: boolean): Promise<Finding> {
  const named = await target.namedPipeline()
  if (named !== null) {
    const org_slug = named.org_slug ?? (await findOrganization(target, mayAsk))?.org_slug
    const name = org_slug === undefined ? named.pipeline_slug : `${org_slug}/${named.pipeline_slug}`
    return [name, named.inferredFrom]
  }
  const remotes = await findRemotes(git)
  if (remotes.length === 0) return ['none', 'name one with -p']
  const names = remotes.map(({ name }) => name).join(', ')
  if (!mayAsk) return ['unknown', `the server was not asked for git remotes ${names}`]
  const { org_slug, found } = (await target.pipelinesHere()) ?? {}
  if (!found || found.length === 0) return ['none', `no pipeline is known for git remotes ${names}`]
  const from = [...new Set(found.map(({ remote }) => `git remote ${remote.name}`))].join(', ')
  const choose = found.length > 1 ? '; choose one with -p' : ''
  return [found.map(({ slug }) => `${org_slug}/${slug}`).join(', '), `${from}${choose}`]
}

async function askServer(context: Context): Promise<Finding> {
  const ci = await context.ci()
  try {
    const info = await ci.accessToken.get({ signal: context.signal })
    return [`the token works; scopes: ${info.scopes.join(' ') || 'none'}`, null]
  } catch (error) {
    if (isCiError(error, 'not_found')) return ['the server answers; it does not offer to look at tokens', null]
    throw error
  }
}

async function fileCheck(io: Io, name: string, path: string): Promise<Check> {
  const mode = await openMode(path, io.platform)
  if (mode !== null) return { name, ok: false, value: path, source: `open to others: mode ${mode.toString(8)}` }
  const isThere = await isAtPath(path)
  return { name, ok: true, value: path, source: isThere ? null : 'not there' }
}

async function attempted(command: Context['command'], name: string, run: () => Promise<Finding>): Promise<Check> {
  try {
    const [value, source] = await run()
    return { name, ok: true, value, source }
  } catch (error) {
    const hint = error instanceof CommandError ? error.hint : undefined
    return {
      name,
      ok: false,
      value: messageOf(error),
      source: hint === undefined ? null : String(hintText(hint, command)),
    }
  }
}
