import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, openMode, readJsonFile } from '../config/json-file.js'
import type { FileTools } from '../config/own-files.js'
import { paths } from '../config/paths.js'
import { CommandError, errorCode } from '../io/command-error.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import { type CredentialStore, readCredential } from './stored-credential.js'

const FILE = 'credentials.json'

/** Credentials in `credentials.json`, readable by its owner alone. */
export function fileStore(tools: FileTools): CredentialStore {
  const { io, notes } = tools
  const path = join(paths(io).config, FILE)

  const read = async (): Promise<JsonObject> => {
    if ((await openMode(path, io.platform)) !== null) await narrow(path, (text) => notes.warn(text))
    return (await readJsonFile(path)) ?? {}
  }
  const list = (file: JsonObject): JsonObject => {
    const { credentials = {} } = file
    if (isJsonObject(credentials)) return credentials
    throw new CommandError('configuration', say`${path}: credentials must be an object`)
  }
  const write = async (change: (credentials: JsonObject) => JsonObject, options?: { readonly probe: boolean }) => {
    // Loaded by those who write only.
    const { changeFile } = await import('../config/own-files.js')
    await changeFile(tools, FILE, (file) => ({ credentials: change(list(file)) }), options)
  }
  return {
    kind: 'file',
    place: path,
    probe: () => write((credentials) => credentials, { probe: true }),
    async load(name) {
      const credentials = list(await read())
      return Object.hasOwn(credentials, name) ? readCredential(credentials[name]) : null
    },
    save: (name, credential) => write((credentials) => ({ ...credentials, [name]: { ...credential } })),
    async remove(name) {
      if (!Object.hasOwn(list(await read()), name)) return false
      await write((credentials) => Object.fromEntries(Object.entries(credentials).filter(([other]) => other !== name)))
      return true
    },
  }
}

/** Takes the file away from group and others, and says so: whoever could read it may have. */
async function narrow(path: string, warn: Notes['warn']): Promise<void> {
  try {
    await chmod(path, 0o600)
    warn(say`${path} was open to other users; now only you can read it`)
  } catch (cause) {
    warn(say`${path} is open to other users and cannot be narrowed (${errorCode(cause)})`)
  }
}
