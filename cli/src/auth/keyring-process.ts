import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StoredTools } from '../config/credential.js'
import { CommandError } from '../io/command-error.js'
import { type Io, isNonInteractive } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'

/** Items of the system's keyring by name. */
export interface Keychain {
  get(name: string): Promise<string | null>
  set(name: string, text: string): Promise<void>
  /** False when there was none. */
  drop(name: string): Promise<boolean>
}

type KeychainOptions = Pick<StoredTools, 'io' | 'clock'> & { readonly tell: Notes['line'] }

const PROGRAM = fileURLToPath(new URL('../../bin/keyring.js', import.meta.url))
const PATIENCE_MS = 3000
/** A person may have to unlock it in a dialog. */
const PATIENCE_WITH_PERSON_MS = 60_000
const QUIET_MS = 1000

/** The system's keyring does not answer, is locked, or is not there. */
class KeyringError extends CommandError {
  constructor(reason: string) {
    const [first = ''] = reason.split('. ', 1)
    super('configuration', say`the system keyring cannot be used: ${first}`, {
      hint: ['auth', 'login', '--insecure-storage'],
    })
  }
}

type Answer = { readonly value: unknown } | { readonly error: string }

const ofRun = new WeakMap<Io, Keychain>()

/** The one keychain of a run: its process starts at the first call and ends with this one. */
export function keychainOf(options: KeychainOptions): Keychain {
  const found = ofRun.get(options.io) ?? openKeychain(options)
  ofRun.set(options.io, found)
  return found
}

/**
 * The system's keyring behind a process that can be ended whatever the keyring does. All calls of a run together wait
 * 3 s, or 60 s where a person can answer a dialog; then the process is ended and every further call fails at once.
 */
function openKeychain({ io, clock, tell }: KeychainOptions): Keychain {
  const hasPerson = !isNonInteractive(io, false)
  const patienceMs = hasPerson ? PATIENCE_WITH_PERSON_MS : PATIENCE_MS
  let leftMs = patienceMs
  let child: ChildProcess | undefined
  let failure: KeyringError | undefined
  let last: Promise<unknown> = Promise.resolve()

  const ask = async (request: object): Promise<unknown> => {
    if (failure !== undefined) throw failure
    child ??= startChild(io.env)
    const over = new AbortController()
    const started = clock.monotonic()
    const limit = clock.sleep(leftMs, over.signal).then((): Answer => {
      throw new KeyringError(`no answer within ${patienceMs / 1000} s`)
    })
    if (hasPerson) {
      const notice = say`Waiting for the system keyring, which may show a dialog; Ctrl-C stops`
      clock.sleep(QUIET_MS, over.signal).then(
        () => tell(notice),
        () => undefined,
      )
    }
    try {
      const answer = await Promise.race([answerOf(child, request), limit])
      if ('error' in answer) throw new KeyringError(answer.error)
      return answer.value
    } finally {
      leftMs -= clock.monotonic() - started
      over.abort(new Error('answered'))
      limit.catch(() => undefined)
    }
  }
  const call = <T>(request: object): Promise<T> => {
    const answered = last.then(() => ask(request))
    last = answered.catch((error: unknown) => {
      // A keyring that said no may say yes to another question; one that fell silent is done with.
      if (leftMs > 0 && child?.exitCode === null && child.signalCode === null) return
      failure ??= error instanceof KeyringError ? error : undefined
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
  // A secret goes over the channel: neither arguments nor variables carry one.
  const child = fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { ...env }, execArgv: [] })
  child.unref()
  child.channel?.unref()
  return child
}

function answerOf(child: ChildProcess, request: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', answered)
      child.off('exit', ended)
      child.off('error', ended)
    }
    const answered = (message: unknown) => {
      settle()
      resolve(message as Answer)
    }
    const ended = () => {
      settle()
      reject(new KeyringError('its process has ended'))
    }
    child.on('message', answered)
    child.on('exit', ended)
    child.on('error', ended)
    child.send(request, (error) => {
      if (error !== null) ended()
    })
  })
}
