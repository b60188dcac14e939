import { type ContextFile, contextFilePath, noContext, type ServerContext, toContextFile } from './contexts.js'
import type { JsonObject } from './json-file.js'
import { changeFile, type FileTools } from './own-files.js'

/** What a context becomes, decided by what the file holds then; null removes it. */
type Change = (old: ServerContext | undefined, file: ContextFile) => ServerContext | null

/**
 * Writes one context, or removes it; keys that this version does not know stay as they are, and what is undefined goes.
 * With `first` it becomes the default when no other is.
 */
export function saveContext(
  tools: FileTools,
  name: string,
  change: Change,
  makeCurrent: boolean | 'first' = false,
): Promise<void> {
  return changeContexts(tools, (file) => {
    const context = change(file.contexts.get(name), file)
    const list: Readonly<Record<string, object>> = Object(file.raw.contexts)
    const isCurrent = makeCurrent === true || (makeCurrent === 'first' && file.current === null)
    const kept = file.current === name && context === null ? null : file.current
    return {
      current: isCurrent ? name : kept,
      contexts: { ...list, [name]: context === null ? undefined : { ...list[name], ...context } },
    }
  })
}

/** Makes a context the one that counts without `--context`. */
export function makeCurrentContext(tools: FileTools, name: string): Promise<void> {
  return changeContexts(tools, ({ contexts }) => {
    if (!contexts.has(name)) throw noContext(name, contexts)
    return { current: name }
  })
}

/** Proves that contexts can be written, before a server is asked for something that could not be kept. */
export function probeContexts(tools: FileTools): Promise<void> {
  return changeContexts(tools, () => ({}), 'probed')
}

function changeContexts(tools: FileTools, change: (file: ContextFile) => JsonObject, own?: 'probed'): Promise<void> {
  return changeFile(tools, 'config.json', (raw) => change(toContextFile(contextFilePath(tools.io), raw)), own)
}
