import { systemClock } from '../base/clock.js'

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type StopSignal = keyof typeof signalNumbers
const signalNames = Object.keys(signalNumbers) as StopSignal[]

/**
 * Signals this close together count as one: a package manager forwards a signal that its child gets
 * from the terminal too.
 */
const oneSignalMs = 100

/**
 * Resolves when no second copy of a signal can arrive any more, also not one that a busy event loop
 * has not read yet.
 */
async function copiesAreOver(signal: AbortSignal): Promise<void> {
  await systemClock.sleep(oneSignalMs, signal)
  // In a turn of the event loop timers run first, then signals, then immediates.
  await new Promise((resolve) => setImmediate(resolve))
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** Listens for stop signals, the end of stdin, and the caller's signal. */
export function untilStopped(
  stdin: NodeJS.ReadableStream | undefined,
  callerSignal: AbortSignal | undefined,
) {
  const stopping = new AbortController()
  const forcing = new AbortController()
  const disposed = new AbortController()
  let firstSignal: StopSignal | undefined
  let forcingSignal: StopSignal | undefined
  let copies: Promise<void> | undefined
  let areCopiesOver = false

  const stop = (): void => {
    copies ??= copiesAreOver(disposed.signal).then(
      () => {
        areCopiesOver = true
      },
      () => undefined,
    )
    stopping.abort()
  }
  const onSignal = (name: StopSignal): void => {
    firstSignal ??= name
    if (copies === undefined) {
      stop()
    } else if (areCopiesOver) {
      forcingSignal = name
      forcing.abort()
    }
  }

  const signal: AbortSignal = stopping.signal
  const first = aborted(signal)
  const second = aborted(forcing.signal)
  for (const name of signalNames) process.on(name, onSignal)
  stdin?.on('end', stop).on('close', stop).resume()
  callerSignal?.addEventListener('abort', stop, { once: true })
  if (callerSignal?.aborted) stop()

  return {
    /** Aborted by the first signal, at the end of stdin, or by the caller's signal. */
    signal,
    /** Resolves when `signal` is aborted. */
    first,
    /** Resolves at a later signal: the user does not want to wait for the drain. */
    second,
    /** 0 after a drain, 128 + n when a second signal cut it short. */
    exitCode: () => (forcingSignal === undefined ? 0 : 128 + signalNumbers[forcingSignal]),
    /** 128 + n of the first signal. */
    signalCode: () => firstSignal && 128 + signalNumbers[firstSignal],
    /** Stops to listen, after the time in which a copy of the first signal may arrive. */
    async dispose() {
      stdin?.off('end', stop).off('close', stop).pause()
      callerSignal?.removeEventListener('abort', stop)

      // After a signal the handlers stay until its copies are over: a copy would kill the process.
      if (firstSignal === undefined) disposed.abort()
      await copies
      for (const name of signalNames) process.off(name, onSignal)
    },
  }
}
