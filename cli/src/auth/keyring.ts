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
/** A person may have to unlock it in a dialog. */
const PATIENCE_WITH_PERSON_MS = 60_000
const QUIET_MS = 1000

/** It does not answer, is locked, or is not there. */
function unusable(reason: string): CommandError {
  const [first = ''] = reason.split('. ', 1)
  const hint = ['auth', 'login', '--insecure-storage']
  return new CommandError('configuration', say`the system keyring cannot be used: ${first}`, {
    hint,
  })
}

type Answer = { readonly value: unknown } | { readonly error: string }

const ofRun = new WeakMap<Io, Keychain>()

/** The one keychain of a run: its process starts at the first call and ends with this one. */
export function keychainOf(tools: KeychainTools): Keychain {
  const found = ofRun.get(tools.io) ?? openKeychain(tools)
  ofRun.set(tools.io, found)
  return found
}

/**
 * The system's keyring behind a process that can be ended whatever the keyring does. All calls of a
 * run together wait 3 s, or 60 s where a person can answer a dialog; then the process is ended and
 * every further call fails at once.
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
    const over = new AbortController()
    const started = clock.monotonic()
    const limit = clock.sleep(leftMs, over.signal).then((): Answer => {
      throw unusable(`no answer within ${patienceMs / 1000} s`)
    })
    if (hasPerson) {
      const notice = say`Waiting for the system keyring, which may show a dialog; Ctrl-C stops`
      clock.sleep(QUIET_MS, over.signal).then(
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
      over.abort(new Error('answered'))
      limit.catch(() => undefined)
    }
  }
  const call = <T>(request: object): Promise<T> => {
    const answered = last.then(() => ask(request))
    last = answered.catch((error: unknown) => {
      // A keyring that said no may say yes to another question; one that fell silent is done with.
      if (leftMs > 0 && child?.exitCode === null && child.signalCode === null) return
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
  // A secret goes over the channel: neither arguments nor variables carry one.
  const child = fork(PROGRAM, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...env },
    execArgv: [],
  })
  child.unref()
  child.channel?.unref()
  return child
}

function answerOf(child: ChildProcess, request: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(unusable('its process has ended'))
    for (const name of ['message', 'exit', 'error']) child.removeAllListeners(name)
    child.once('message', (answer) => resolve(answer as Answer))
    child.once('exit', ended).once('error', ended)
    child.send(request, (error) => {
      if (error !== null) ended()
    })
  })
}

const WINDOWS_LIMIT = 1280
/** In front of the first of several parts: how many there are, and the name they share. */
const HEAD = /^(\d+)\.([0-9a-f]{8}):/u

/**
 * Credentials in the system's keyring, one item a context, because systems ask a person once an
 * item. On Windows a long one is cut into parts; the first part is written last, so that a reader
 * sees the old text or the new one.
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
      return readCredential(parsed(text))
    },
    async save(context, credential) {
      const text = JSON.stringify(credential)
      if (platform !== 'win32') return chain.set(context, text)
      const before = await chain.get(context)
      const id = randomBytes(4).toString('hex')
      const room = WINDOWS_LIMIT - '99.12345678:'.length
      const parts =
        text.length <= WINDOWS_LIMIT
          ? [text]
          : (text.match(new RegExp(`.{1,${room}}`, 'gsu')) ?? [])
      const head = parts.length > 1 ? `${parts.length}.${id}:${parts[0]}` : text
      for (const [at, name] of partNames(context, head).entries())
        await chain.set(name, parts[at + 1] ?? '')
      await chain.set(context, head)
      for (const name of partNames(context, before)) await chain.drop(name)
    },
    async remove(context) {
      const head = platform === 'win32' ? await chain.get(context) : null
      const had = await chain.drop(context)
      for (const name of partNames(context, head)) await chain.drop(name)
      return had
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
