import { getEventListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, onTestFinished } from 'vitest'

// A test must leave nothing behind. An unhandled rejection fails the run by
// vitest's own rule.

const tests = fileURLToPath(new URL('.', import.meta.url))
const source = fileURLToPath(new URL('../../sdk/src/', import.meta.url))
interface Watched {
  readonly signals: Set<AbortSignal>
  readonly timers: Set<unknown>
}

function calledFrom(folder: string, frames: number): boolean {
  return (new Error().stack ?? '')
    .split('\n')
    .slice(3, 3 + frames)
    .some((line) => line.includes(folder))
}

/**
 * Remembers the signals that tests make, which are the ones that calls share; those of the platform
 * are its own.
 */
function watchSignals(): Set<AbortSignal> {
  const signals = new Set<AbortSignal>()
  globalThis.AbortController = class extends AbortController {
    constructor() {
      super()
      if (calledFrom(tests, 1)) signals.add(this.signal)
    }
  }
  return signals
}

/** The timers of the package; undici's and the runner's own are not counted. */
function watchTimers(): Set<unknown> {
  const timers = new Set<unknown>()
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const watched = ((
    run: (...args: unknown[]) => void,
    ms?: number,
    ...args: unknown[]
  ): NodeJS.Timeout => {
    const timer = start(() => {
      timers.delete(timer)
      run(...args)
    }, ms)
    if (calledFrom(source, 3)) timers.add(timer)
    return timer
  }) as typeof start
  globalThis.setTimeout = watched
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer)
    stop(timer)
  }
  return timers
}

// The files of a worker share its globals, and this file runs before each of them.
const world = globalThis as { watchedByTests?: Watched }
world.watchedByTests ??= { signals: watchSignals(), timers: watchTimers() }
const { signals, timers } = world.watchedByTests

afterAll(() => signals.clear())

/** How many connections and servers hold the process. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length
}

/**
 * Whether `isOver` comes true soon: sockets close a few turns after they are told to, and a
 * flight's own limit may end a moment later.
 */
async function soon(isOver: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 100 && !isOver(); turn++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return isOver()
}

beforeEach(() => {
  const before = sockets()
  // The first to be registered runs last, after the servers and clients of the test have ended.
  onTestFinished(async () => {
    const listening = [...signals].filter((signal) => getEventListeners(signal, 'abort').length > 0)
    for (const signal of listening) signals.delete(signal)
    expect(listening, 'signals that still have listeners').toEqual([])
    expect(await soon(() => sockets() <= before), 'sockets are closed').toBe(true)
    const ended = await soon(() => timers.size === 0)
    timers.clear()
    expect(ended, 'timers have ended').toBe(true)
  })
})
