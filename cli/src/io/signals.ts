import type { Clock } from './clock.js'
import { InterruptedError } from './command-error.js'
import { ExitCode } from './exit-codes.js'
import type { EndingSignal, Io } from './io.js'
import { type Printable, say } from './printable.js'

export type Interrupts = ReturnType<typeof ownSignals>

/**
 * The longest that a signal waits for work that must not be cut in two, unless that needs longer.
 */
const FINISH_MS = 3000

const CODES: Readonly<Record<EndingSignal, number>> = {
  SIGINT: ExitCode.sigint,
  SIGTERM: ExitCode.sigterm,
  SIGHUP: ExitCode.sighup,
}

/** Takes the signals over: the first one aborts, a second one ends at once. */
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
  const removers = names.map((name) => io.onSignal(name, () => raise(name)))
  return {
    /** Aborted by the first signal, with an InterruptedError as its reason. */
    signal: controller.signal as AbortSignal,
    interrupted,
    /**
     * Runs at the first signal, before anything else: to restore the terminal. The answer removes
     * it.
     */
    onInterrupt(undo: () => void): () => void {
      restores.add(undo)
      return () => restores.delete(undo)
    },
    /**
     * Lets a piece of work that must not be cut in two end before the program does; `text` says
     * what it is.
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
     * After a first signal: resolves when that work has ended, or its time (3 s) is over; a
     * terminal is told of it.
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
     * Leaves Ctrl-C to a child that has the terminal, such as a pager, until the returned function
     * is called.
     */
    leaveToChild(): () => void {
      held += 1
      return () => {
        held -= 1
      }
    },
    /** Puts the terminal back as it was, for an end that no signal caused. */
    restore,
    /** One line for a person whose signal cut something short; null removes it. */
    setHint: (text: Printable | null) => {
      hint = text
    },
    get hint(): Printable | null {
      // Over the ^C that a terminal has just shown.
      return hint !== null && io.stderr.isTTY ? say`\r${hint}` : hint
    },
    /** Acts as if this signal had come: for a Ctrl-C that was read as a byte. */
    raise,
    /** Aborts requests without a signal, because nobody reads the output any more. */
    abort: (reason: unknown) =>
      controller.abort(reason instanceof Error ? reason : new Error(String(reason))),
    /** Gives the signals back, also to another owner: a server, a child process. */
    release(): void {
      for (const remove of removers.splice(0)) remove()
    },
  }
}
