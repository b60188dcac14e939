import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isCiError } from '@buildwire/sdk'
import { contextFilePath, readContexts } from '../../config/contexts.js'
import { canOthersWrite, openDirectory } from '../../config/directory.js'
import { openMode } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import type { Context } from '../../context/context.js'
import type { CommandTarget } from '../../context/create-target.js'
import { hintText } from '../../context/errors/report.js'
import { findRemotes } from '../../context/git/git.js'
import { CommandError, messageOf } from '../../io/command-error.js'
import { variable } from '../../io/io.js'

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly value: string
  readonly source: string | null
}

/** Checks every setting of a command; secrets are named but never shown. */
export async function runChecks(context: Context, offline: boolean): Promise<Check[]> {
  const { io, command, version } = context
  const { config, cache } = paths(io)
  const checks: Check[] = []
  const addCheck = (name: string, value: string, source: string | null = null, ok = true) => {
    checks.push({ name, ok, value, source })
  }
  /** Adds the value that was found and returns true, or adds the error and returns false. */
  const check = async (name: string, find: () => Promise<CheckedValue>): Promise<boolean> => {
    try {
      const [value, source] = await find()
      addCheck(name, value, source)
      return true
    } catch (error) {
      const { hint, lines = [] } = error instanceof CommandError ? error : {}
      const advice = hint === undefined ? lines[0] : hintText(hint, command)
      addCheck(name, messageOf(error), advice === undefined ? null : String(advice), false)
      return false
    }
  }
  const checkFile = async (name: string, path: string) => {
    const mode = await openMode(path, io.platform)
    if (mode !== null) {
      return addCheck(name, path, `open to others: mode ${mode.toString(8)}`, false)
    }
    addCheck(name, path, existsSync(path) ? null : 'not there')
  }

  addCheck('version', `ci ${version}, Node ${io.nodeVersion}, ${io.platform}`)
  const isDirectoryUsable = await check('directory', async () => [
    await openDirectory(context),
    existsSync(config) ? null : 'not there',
  ])
  await checkFile('config', contextFilePath(io))
  await checkFile('credentials', join(config, 'credentials.json'))
  const isCacheShared = await canOthersWrite(cache, io.platform)
  addCheck(
    'cache',
    cache,
    isCacheShared ? 'not used: others can write there' : null,
    !isCacheShared,
  )
  // Without it every setting is unknown.
  if (!isDirectoryUsable) return checks
  await check('contexts', async () => {
    const { contexts, current } = await readContexts(context)
    return [
      [...contexts.keys()].join(', ') || 'none',
      current === null ? null : `default ${current}`,
    ]
  })
  await check('project', async () => [
    (await context.project())?.path ?? 'no .buildwire.json',
    null,
  ])
  await check('git remotes', async () => {
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
    if (value === undefined) continue
    addCheck(name.toLowerCase().replace('_', ' '), value, `BUILDWIRE_${name}`)
  }
  const hasServer = await check('server', async () => {
    const { baseUrl } = await context.settings()
    return [baseUrl.value, baseUrl.source]
  })
  if (!hasServer) return checks

  const { authUrl: auth, webUrl: web, vendor, client_id } = await context.settings()
  for (const [name, setting] of Object.entries({ auth, web, vendor, client_id })) {
    if (setting !== null) addCheck(name, setting.value, setting.source)
  }
  const hasToken = await check('token', async () => ['present', (await context.credential()).label])
  const mayAsk = hasToken && !offline && (await check('answer', () => askServer(context)))
  await check('organization', () => organization(context.target, mayAsk))
  await check('pipeline', () => pipeline(context, mayAsk))
  return checks
}

type CheckedValue = readonly [value: string, source: string | null]

async function findOrganization(target: CommandTarget, mayAsk: boolean) {
  return (await target.findOrganization()) ?? (mayAsk ? await target.onlyOrganization() : null)
}

async function organization(target: CommandTarget, mayAsk: boolean): Promise<CheckedValue> {
  const named = await findOrganization(target, mayAsk)
  return named === null ? ['none', 'name one with --org'] : [named.org_slug, named.inferredFrom]
}

/** The pipeline of a command without `-p`. */
async function pipeline({ target, git }: Context, mayAsk: boolean): Promise<CheckedValue> {
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
  const { org_slug, pipelines } = (await target.pipelinesHere()) ?? {}
  if (!pipelines || pipelines.length === 0) {
    return ['none', `no pipeline is known for git remotes ${names}`]
  }
  const from = [...new Set(pipelines.map(({ remote }) => `git remote ${remote.name}`))].join(', ')
  const choose = pipelines.length > 1 ? '; choose one with -p' : ''
  return [pipelines.map(({ slug }) => `${org_slug}/${slug}`).join(', '), `${from}${choose}`]
}

async function askServer(context: Context): Promise<CheckedValue> {
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
