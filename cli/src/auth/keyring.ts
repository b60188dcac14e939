import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { type Io, isNonInteractive } from '../io/io.js'
import { say } from '../io/printable.js'
import { type CredentialStore, readCredential } from './stored-credential.js'

export interface Keychain {
  get(name: string): Promise<string | null>
  set(name: string, text: string): Promise<void>
  /** False when there was none. */
  drop(name: string): Promise<boolean>
}

type KeychainTools = Pick<Context, 'io' | 'clock' | 'notes'>

const PROGRAM = fileURLToPath(new URL('../../bin/keyring.js', import.meta.url))
const PATIENCE_MS = 3000
/** Longer, because a person may have to unlock the keyring in a dialog. */
const PATIENCE_WITH_PERSON_MS = 60_000
/** After this time a line says that the keyring is awaited. */
const QUIET_MS = 1000

/** The error of a keyring that does not answer, is locked or does not exist. */
function unusable(reason: string): CommandError {
  const [first = ''] = reason.split('. ', 1)
  const hint = ['auth', 'login', '--insecure-storage']
  return new CommandError('configuration', say`the system keyring cannot be used: ${first}`, {
    hint,
  })
}

type KeychainAnswer = { readonly value: unknown } | { readonly error: string }

const keychains = new WeakMap<Io, Keychain>()

/** The keychain of this run. Its process starts at the first call and ends with ours. */
export function keychainOf(tools: KeychainTools): Keychain {
  const keychain = keychains.get(tools.io) ?? openKeychain(tools)
  keychains.set(tools.io, keychain)
  return keychain
}

/**
 * The system's keyring in a child process, because a call to a keyring that hangs can only be ended
 * with its process. All calls of a run together wait at most 3 s, or 60 s if a person can answer a
 * dialog. Then the process is killed, and all later calls fail at once.
 */
function openKeychain({ io, clock, notes }: KeychainTools): Keychain {
  const hasPerson = !isNonInteractive(io, false)
  const patienceMs = hasPerson ? PATIENCE_WITH_PERSON_MS : PATIENCE_MS
  let leftMs = patienceMs
  let child: ChildProcess | undefined
  let failure: CommandError | undefined
  let last: Promise<unknown> = Promise.resolve()

  const ask = async (request: object): Promise<unknown> => {
    if (failure !== undefined) throw failure
    child ??= startChild(io.env)
    const finished = new AbortController()
    const started = clock.monotonic()
    const limit = clock.sleep(leftMs, finished.signal).then((): KeychainAnswer => {
      throw unusable(`no response within ${patienceMs / 1000} s`)
    })
    if (hasPerson) {
      const notice = say`Waiting for the system keyring, which may show a dialog; Ctrl-C stops`
      clock.sleep(QUIET_MS, finished.signal).then(
        () => notes.line(notice),
        () => undefined,
      )
    }
    try {
      const answer = await Promise.race([answerOf(child, request), limit])
      if ('error' in answer) throw unusable(answer.error)
      return answer.value
    } finally {
      leftMs -= clock.monotonic() - started
      finished.abort(new Error('answered'))
      limit.catch(() => undefined)
    }
  }
  const call = <T>(request: object): Promise<T> => {
    const answered = last.then(() => ask(request))
    last = answered.catch((error: unknown) => {
      // After an error the keyring is asked again; after a time-out or the end of its process not.
      const isRunning = child?.exitCode === null && child.signalCode === null
      if (leftMs > 0 && isRunning) return
      failure ??= error instanceof CommandError ? error : undefined
      child?.kill('SIGKILL')
    })
    return answered as Promise<T>
  }
  return {
    get: (name) => call({ call: 'get', name }),
    set: (name, text) => call({ call: 'set', name, text }),
    drop: (name) => call({ call: 'drop', name }),
  }
}

function startChild(env: Io['env']): ChildProcess {
  // Secrets go over the channel, never in arguments or variables.
  const child = fork(PROGRAM, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...env },
    execArgv: [],
  })
  child.unref()
  child.channel?.unref()
  return child
}

function answerOf(child: ChildProcess, request: object): Promise<KeychainAnswer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(unusable('its process has ended'))
    for (const name of ['message', 'exit', 'error']) child.removeAllListeners(name)
    child.once('message', (answer) => resolve(answer as KeychainAnswer))
    child.once('exit', ended).once('error', ended)
    child.send(request, (error) => {
      if (error !== null) ended()
    })
  })
}

const WINDOWS_LIMIT = 1280
/** The start of the first of several parts: their number, and the id in their names. */
const HEAD = /^(\d+)\.([0-9a-f]{8}):/u

/**
 * Credentials in the system's keyring, one item per context, because a system may ask the person
 * once per item. On Windows a long credential is cut into parts. The first part is written last, so
 * that a reader sees either the old text or the new one.
 */
export function keyringStore(chain: Keychain, platform: string): CredentialStore {
  const partNames = (context: string, head: string | null) => {
    const [, count = '1', id = ''] = HEAD.exec(head ?? '') ?? []
    return Array.from({ length: Number(count) - 1 }, (_, at) => `${context}/${id}/${at + 2}`)
  }
  return {
    kind: 'keyring',
    place: 'the system keyring',
    async probe() {
      await chain.set('probe', 'probe')
      await chain.drop('probe')
    },
    async load(context) {
      const head = await chain.get(context)
      if (head === null) return null
      let text = head.replace(HEAD, '')
      for (const name of partNames(context, head)) text += (await chain.get(name)) ?? ''
      return readCredential(parseJson(text))
    },
    async save(context, credential) {
      const text = JSON.stringify(credential)
      if (platform !== 'win32') return chain.set(context, text)
      const before = await chain.get(context)
      const id = randomBytes(4).toString('hex')
      const partLength = WINDOWS_LIMIT - '99.12345678:'.length
      // Bound: pieces of a fixed length, which take linear time on any input.
      const cut = text.match(new RegExp(`.{1,${partLength}}`, 'gsu')) ?? []
      const parts = text.length <= WINDOWS_LIMIT ? [text] : cut
      const head = parts.length > 1 ? `${parts.length}.${id}:${parts[0]}` : text
      for (const [at, name] of partNames(context, head).entries()) {
        await chain.set(name, parts[at + 1] ?? '')
      }
      await chain.set(context, head)
      for (const name of partNames(context, before)) await chain.drop(name)
    },
    async remove(context) {
      const head = platform === 'win32' ? await chain.get(context) : null
      const existed = await chain.drop(context)
      for (const name of partNames(context, head)) await chain.drop(name)
      return existed
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
