import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isCiError } from '@buildwire/sdk'
import { contextFilePath, readContexts } from '../../config/contexts.js'
import { openMode } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import type { Context } from '../../context/context.js'
import type { CommandTarget } from '../../context/create-target.js'
import { hintText } from '../../context/errors.js'
import { findRemotes } from '../../context/git/git.js'
import { CommandError, messageOf } from '../../io/command-error.js'
import { variable } from '../../io/io.js'

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
  const checks: Check[] = []
  const tell = (name: string, value: string, source: string | null = null, ok = true) => {
    checks.push({ name, ok, value, source })
  }
  /** Tells what is found, or what stands in the way; false then. */
  const look = async (name: string, find: () => Promise<Finding>): Promise<boolean> => {
    try {
      const [value, source] = await find()
      tell(name, value, source)
      return true
    } catch (error) {
      const hint = error instanceof CommandError ? error.hint : undefined
      tell(
        name,
        messageOf(error),
        hint === undefined ? null : String(hintText(hint, command)),
        false,
      )
      return false
    }
  }
  const lookAtFile = async (name: string, path: string) => {
    const mode = await openMode(path, io.platform)
    if (mode !== null) return tell(name, path, `open to others: mode ${mode.toString(8)}`, false)
    tell(name, path, existsSync(path) ? null : 'not there')
  }
  tell('version', `ci ${version}, Node ${io.nodeVersion}, ${io.platform}`)
  await lookAtFile('config', contextFilePath(io))
  await lookAtFile('credentials', join(where.config, 'credentials.json'))
  tell('cache', where.cache)
  await look('contexts', async () => {
    const { contexts, current } = await readContexts(io)
    return [
      [...contexts.keys()].join(', ') || 'none',
      current === null ? null : `default ${current}`,
    ]
  })
  await look('project', async () => [(await context.project())?.path ?? 'no .buildwire.json', null])
  await look('git remotes', async () => {
    const remotes = await findRemotes(context.git)
    return [remotes.map(({ name, location }) => `${name} ${location}`).join(', ') || 'none', null]
  })
  for (const name of [
    'OUTPUT',
    'PAGER',
    'BROWSER',
    'CREDENTIAL_STORE',
    'NO_INPUT',
    'ASCII',
    'PLAIN',
  ] as const) {
    const value = variable(io, name)
    if (value !== undefined) tell(name.toLowerCase().replace('_', ' '), value, `BUILDWIRE_${name}`)
  }
  const hasServer = await look('server', async () => {
    const { baseUrl } = await context.settings()
    return [baseUrl.value, baseUrl.source]
  })
  if (!hasServer) return checks
  const { authUrl: auth, webUrl: web, vendor, client_id } = await context.settings()
  for (const [name, found] of Object.entries({ auth, web, vendor, client_id })) {
    if (found !== null) tell(name, found.value, found.source)
  }
  const hasToken = await look('token', async () => ['present', (await context.credential()).label])
  const mayAsk = hasToken && !offline && (await look('answer', () => askServer(context)))
  await look('organization', () => organization(context.target, mayAsk))
  await look('pipeline', () => pipeline(context, mayAsk))
  return checks
}

type Finding = readonly [value: string, source: string | null]

async function findOrganization(target: CommandTarget, mayAsk: boolean) {
  return (await target.findOrganization()) ?? (mayAsk ? await target.onlyOrganization() : null)
}

async function organization(target: CommandTarget, mayAsk: boolean): Promise<Finding> {
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
  const { org_slug, pipelines: found } = (await target.pipelinesHere()) ?? {}
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
    if (isCiError(error, 'not_found'))
      return ['the server answers; it does not offer to look at tokens', null]
    throw error
  }
}
