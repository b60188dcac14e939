import { type ContextFile, contextFilePath, noContext, type ServerContext, toContextFile } from './contexts.js'
import { isJsonObject, type JsonObject } from './json-file.js'
import { changeFile, type FileTools } from './own-files.js'

/** What a context becomes, decided by what the file holds then; null removes it. */
type Change = (old: ServerContext | undefined, file: ContextFile) => ServerContext | null

interface SaveOptions {
  /** `first`: when no other is the default. */
  readonly makeCurrent?: true | 'first'
  readonly forgetStore?: true
}

/** Writes one context, or removes it; keys that this version does not know stay as they are. */
export function saveContext(tools: FileTools, name: string, change: Change, options: SaveOptions = {}): Promise<void> {
  return changeContexts(tools, (file) => {
    const context = change(file.contexts.get(name), file)
    const list: Record<string, unknown> = isJsonObject(file.raw.contexts) ? { ...file.raw.contexts } : {}
    if (context === null) delete list[name]
    else {
      const before = isJsonObject(list[name]) ? list[name] : {}
      const kept = Object.entries(before).filter(([key]) => key !== 'store' || options.forgetStore !== true)
      list[name] = withoutUndefined({ ...Object.fromEntries(kept), ...context })
    }
    const isCurrent = options.makeCurrent === true || (options.makeCurrent === 'first' && file.current === null)
    const kept = file.current === name && context === null ? null : file.current
    return { current: isCurrent ? name : kept, contexts: list }
  })
}

/** Makes a context the one that counts without `--context`. */
export function makeCurrentContext(tools: FileTools, name: string): Promise<void> {
  return changeContexts(tools, ({ contexts }) => {
    if (!contexts.has(name)) throw noContext(name)
    return { current: name }
  })
}

/** Proves that contexts can be written, before a server is asked for something that could not be kept. */
export function probeContexts(tools: FileTools): Promise<void> {
  return changeContexts(tools, () => ({}), { probe: true })
}

function changeContexts(
  tools: FileTools,
  change: (file: ContextFile) => JsonObject,
  options?: { readonly probe: boolean },
): Promise<void> {
  return changeFile(tools, 'config.json', (raw) => change(toContextFile(contextFilePath(tools.io), raw)), options)
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined))
}
