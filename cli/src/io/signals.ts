import type { Clock } from './clock.js'
import { InterruptedError } from './command-error.js'
import { ExitCode } from './exit-codes.js'
import type { EndingSignal, Io } from './io.js'
import { type Printable, say } from './printable.js'

export type Interrupts = ReturnType<typeof ownSignals>

/** How long the program waits, after a signal, for work that must not be interrupted. */
const FINISH_MS = 3000

const CODES: Readonly<Record<EndingSignal, number>> = {
  SIGINT: ExitCode.sigint,
  SIGTERM: ExitCode.sigterm,
  SIGHUP: ExitCode.sighup,
}

/** Handles the ending signals: the first aborts the run, the second ends the process at once. */
export function ownSignals(io: Io) {
  const controller = new AbortController()
  const restores = new Set<() => void>()
  const unfinished = new Map<Promise<unknown>, { readonly text: string; readonly ms: number }>()
  let hint: Printable | null = null
  let reject: (reason: unknown) => void = () => undefined
  const interrupted = new Promise<never>((_, fail) => {
    reject = fail
  })
  interrupted.catch(() => undefined)

  const restore = () => {
    for (const undo of restores) undo()
    restores.clear()
  }
  let held = 0
  const raise = (name: EndingSignal) => {
    if (name === 'SIGINT' && held > 0) return undefined
    if (controller.signal.reason instanceof InterruptedError) return io.exitNow(CODES[name])
    const reason = new InterruptedError(name, CODES[name])
    restore()
    controller.abort(reason)
    reject(reason)
  }
  const names: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const removers: (() => void)[] = []
  let isReleased = false
  const listen = () => {
    if (isReleased || removers.length > 0) return
    removers.push(...names.map((name) => io.onSignal(name, () => raise(name))))
  }
  const stopListening = () => {
    for (const remove of removers.splice(0)) remove()
  }
  listen()
  return {
    /** Aborted by the first signal, with an InterruptedError as its reason. */
    signal: controller.signal as AbortSignal,
    interrupted,
    /**
     * Calls `undo` at the first signal, before anything else, to restore the terminal. The returned
     * function removes it.
     */
    onInterrupt(undo: () => void): () => void {
      restores.add(undo)
      return () => restores.delete(undo)
    },
    /**
     * Runs work that a signal must not interrupt: the program waits for its end. `text` says what
     * the work is.
     */
    async finishFirst<T>(text: string, work: Promise<T>, ms = FINISH_MS): Promise<T> {
      unfinished.set(work, { text, ms })
      try {
        return await work
      } finally {
        unfinished.delete(work)
      }
    },
    /**
     * After the first signal: resolves when that work has ended or its time (3 s) is over. A
     * terminal shows what is waited for.
     */
    async finished(clock: Clock): Promise<void> {
      const [first] = unfinished.values()
      if (first === undefined) return
      const { text, ms } = first
      if (io.stderr.isTTY)
        await io.stderr.write(say`\r${text}; one moment\n`).catch(() => undefined)
      const enough = new AbortController()
      const limit = clock.sleep(ms, enough.signal).catch(() => undefined)
      await Promise.race([Promise.allSettled(unfinished.keys()), limit])
      enough.abort()
    },
    /**
     * Runs work that blocks the event loop, so that no listener could run. During the work, a signal
     * ends the process as the system does it. Work that must not be interrupted ends before.
     */
    async unguarded<T>(work: () => Promise<T>): Promise<T> {
      await Promise.allSettled(unfinished.keys())
      stopListening()
      try {
        return await work()
      } finally {
        listen()
      }
    },
    /**
     * Ignores Ctrl-C while a child uses the terminal, such as a pager, until the returned function
     * is called.
     */
    leaveToChild(): () => void {
      held += 1
      return () => {
        held -= 1
      }
    },
    /** Restores the terminal when the run ends without a signal. */
    restore,
    /** The line to print if a signal interrupts a request; null removes it. */
    setHint: (text: Printable | null) => {
      hint = text
    },
    get hint(): Printable | null {
      // Overwrites the ^C that the terminal has just shown.
      return hint !== null && io.stderr.isTTY ? say`\r${hint}` : hint
    },
    /** Acts like this signal: for a Ctrl-C that was read as a byte in raw mode. */
    raise,
    /** Aborts requests without a signal, because the reader of stdout is gone. */
    abort: (reason: unknown) =>
      controller.abort(reason instanceof Error ? reason : new Error(String(reason))),
    /** Stops handling signals, so that a server or a child process can handle them. */
    release(): void {
      isReleased = true
      stopListening()
    },
  }
}
