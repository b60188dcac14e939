import { expect } from 'vitest'

/** The rejection of a promise that must reject. */
export function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it must reject'),
    (error: unknown) => error,
  )
}
