import { type Clock, systemClock } from '@buildwire/sdk'

export { type Clock, systemClock }

/** Calls `run` every `ms` without keeping the process alive; the returned function stops it. */
export function every(ms: number, run: () => void): () => void {
  const handle = setInterval(run, ms)
  handle.unref()
  return () => clearInterval(handle)
}

/** Calls `run` once after `ms` without keeping the process alive; the returned function cancels it. */
export function after(ms: number, run: () => void): () => void {
  const handle = setTimeout(run, ms)
  handle.unref()
  return () => clearTimeout(handle)
}
