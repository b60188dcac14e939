import { join } from 'node:path'
import { CommandError, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { type DirectoryTools, openDirectory } from './directory.js'
import { isJsonObject, type JsonFileObject, readJsonFile } from './json-file.js'
import { paths } from './paths.js'

/** The stored settings of a named server. Absent URLs default to `baseUrl`. */
export interface ServerContext {
  readonly baseUrl: string
  readonly authUrl?: string | undefined
  readonly webUrl?: string | undefined
  readonly client_id?: string | undefined
  readonly org_slug?: string | undefined
  readonly vendor?: string | undefined
  readonly insecureHttp?: boolean | undefined
  /** Which store holds this context's token; absent when none does. */
  readonly store?: 'keyring' | 'file' | undefined
}

export interface NamedContext {
  readonly name: string
  readonly record: ServerContext
}

/** `config.json`: contexts by name, and the default one. */
export interface ContextFile {
  readonly current: string | null
  readonly contexts: ReadonlyMap<string, ServerContext>
  /** The object as read, so that unknown keys survive a write. */
  readonly raw: JsonFileObject
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/u

export function contextName(name: string): string {
  if (!NAME.test(name))
    throw usageError(
      say`${JSON.stringify(name)} is not a context name; use letters, digits, . _ and -`,
    )
  return name
}

export function contextFilePath(io: DirectoryTools['io']): string {
  return join(paths(io).config, 'config.json')
}

/** Reads all contexts; an absent file holds none. */
export async function readContexts(tools: DirectoryTools): Promise<ContextFile> {
  await openDirectory(tools)
  const path = contextFilePath(tools.io)
  return toContextFile(path, (await readJsonFile(path)) ?? {})
}

export function toContextFile(path: string, raw: JsonFileObject): ContextFile {
  const contexts = new Map<string, ServerContext>()
  const list = raw.contexts ?? {}
  if (!isJsonObject(list))
    throw new CommandError('configuration', say`${path}: contexts must be an object`)
  for (const [name, value] of Object.entries(list))
    contexts.set(name, readContext(path, name, value))
  const current = raw.current
  if (current !== undefined && current !== null && typeof current !== 'string') {
    throw new CommandError('configuration', say`${path}: current must be a name`)
  }
  return { current: current ?? null, contexts, raw }
}

function readContext(path: string, name: string, value: unknown): ServerContext {
  const where = `${path}: context ${JSON.stringify(name)}`
  if (!isJsonObject(value) || typeof value.baseUrl !== 'string') {
    throw new CommandError('configuration', say`${where} has no baseUrl`)
  }
  const text = (key: keyof ServerContext) => {
    const setting = value[key]
    if (setting === undefined || typeof setting === 'string') return setting
    throw new CommandError('configuration', say`${where}: ${key} must be a text`)
  }
  return {
    baseUrl: value.baseUrl,
    authUrl: text('authUrl'),
    webUrl: text('webUrl'),
    client_id: text('client_id'),
    org_slug: text('org_slug'),
    vendor: text('vendor'),
    insecureHttp: value.insecureHttp === true,
    store: value.store === 'keyring' || value.store === 'file' ? value.store : undefined,
  }
}

/** The error for a name that is not the name of a context. */
export function noContext(
  name: string,
  contexts: ContextFile['contexts'],
  url = 'URL',
): CommandError {
  const isEmpty = contexts.size === 0
  return usageError(say`there is no context ${JSON.stringify(name)}`, {
    lines: [
      isEmpty ? say`No context is set yet` : say`Contexts: ${[...contexts.keys()].join(', ')}`,
    ],
    hint: isEmpty ? ['context', 'set', name, '--base-url', url] : ['context', 'list'],
  })
}
