import { systemClock } from '../base/clock.js'

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type StopSignal = keyof typeof numbers

/** Two signals this close are one: a package manager passes on what its child gets anyway. */
const oneSignalMs = 100

/**
 * Resolves when no twin of a signal can come any more: not one, either, that waits in a busy loop
 * to be read.
 */
async function twinsAreOver(signal: AbortSignal): Promise<void> {
  await systemClock.sleep(oneSignalMs, signal)
  // Timers come before signals in a turn of the loop, and immediates after them.
  await new Promise((resolve) => setImmediate(resolve))
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** Says when to stop, and when to stop waiting. */
export function untilStopped(
  stdin: NodeJS.ReadableStream | undefined,
  signal: AbortSignal | undefined,
) {
  const [stopping, forcing, disposed] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ]
  let signaled: StopSignal | undefined
  let forced: StopSignal | undefined
  let twins: Promise<void> | undefined
  let twinsOver = false
  const stop = (): void => {
    twins ??= twinsAreOver(disposed.signal).then(
      () => {
        twinsOver = true
      },
      () => undefined,
    )
    stopping.abort()
  }
  const onSignal = (name: StopSignal): void => {
    signaled ??= name
    if (twins === undefined) stop()
    else if (twinsOver) {
      forced = name
      forcing.abort()
    }
  }
  const names = Object.keys(numbers) as StopSignal[]
  for (const name of names) process.on(name, onSignal)
  stdin?.on('end', stop).on('close', stop).resume()
  const until: AbortSignal = stopping.signal
  const first = aborted(until)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return {
    /** Aborted by the first signal, at the end of stdin, or when the caller says so. */
    signal: until,
    first,
    /** Resolves at a later signal: no more patience. */
    second: aborted(forcing.signal),
    /** 0 after a drain, 128 + n when a second signal cut it short. */
    exitCode: () => (forced === undefined ? 0 : 128 + numbers[forced]),
    /** 128 + n of the first signal. */
    signalCode: () => signaled && 128 + numbers[signaled],
    /** Listens no more, once the twin of a signal must have come. */
    async dispose() {
      stdin?.off('end', stop).off('close', stop).pause()
      signal?.removeEventListener('abort', stop)
      // The twin of a signal would kill a process that has stopped already.
      if (signaled === undefined) disposed.abort()
      await twins
      for (const name of names) process.off(name, onSignal)
    },
  }
}
