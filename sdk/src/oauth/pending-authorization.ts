import { checkedNames } from '../base/checked.js'
import { type CiEventListener, joinListeners } from '../base/events.js'
import { DeviceAuthorizationError } from '../errors/errors.js'
import { Cancellation, follow, race, SignalHub } from '../transport/cancellation.js'
import type { DevicePoller } from './device-poller.js'
import type { TokenSet } from './token-set.js'

/**
 * A login that waits for its user: show `user_code` and `verification_uri`, then `poll()`. `expires_in` and `interval` are
 * seconds, `expiresAt` is epoch milliseconds. The device_code stays inside.
 *
 * @example
 * ```ts
 * import type { DeviceAuthorization } from '@buildwire/sdk'
 * const prompt = (device: DeviceAuthorization) => `Open ${device.verification_uri} and enter ${device.user_code}`
 * ```
 */
export interface DeviceAuthorization {
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete?: string | undefined
  readonly expires_in: number
  readonly interval: number
  readonly expiresAt: number
  /**
   * Polls until the user has answered (RFC 8628 §3.4). Two calls at once share one stream of requests; each has its own signal,
   * and the last to leave stops it. A later call goes on where the last one stopped.
   *
   * @throws DeviceAuthorizationError `device_authorization` when the user said no, the code expired or is unknown;
   * ApiError by status when the answer has no `error` word, ConnectionError `connection` (a certificate),
   * InvalidResponseError `invalid_response`; `signal.reason`.
   */
  poll(options?: { signal?: AbortSignal | undefined; onEvent?: CiEventListener | undefined }): Promise<TokenSet>
}

export type AuthorizationFacts = Omit<DeviceAuthorization, 'poll'>

interface Run {
  readonly result: Promise<TokenSet>
  readonly cancellation: Cancellation
  waiting: number
}

/** One poller for all who wait, because two would earn `slow_down`; its secrets stay inside the poller. */
export function pendingAuthorization(
  facts: AuthorizationFacts,
  poller: DevicePoller,
  onEvent: CiEventListener | undefined,
): DeviceAuthorization {
  const signals = new SignalHub()
  const listeners = new Set<CiEventListener>()
  let running: Run | undefined
  /** Settles when the last run has ended, its last call too. */
  let ended: Promise<void> = Promise.resolve()
  /** A token, or a refusal for good: a later poll must not ask again. */
  let outcome: Promise<TokenSet> | undefined

  const tell: CiEventListener = (event) => {
    onEvent?.(event)
    for (const listener of listeners) listener(event)
  }

  const start = (): Run => {
    const cancellation = new Cancellation()
    const result = outcome ?? ended.then(() => poller.run(cancellation, tell))
    const run = { result, cancellation, waiting: 0 }
    const end = (final: boolean): void => {
      if (final) outcome = result
      if (running === run) running = undefined
    }
    ended = result.then(
      () => end(true),
      (error: unknown) => end(error instanceof DeviceAuthorizationError),
    )
    return run
  }

  /** The last one who waited is gone: the run ends, and a later poll starts the next. */
  const stop = (run: Run, reason: unknown): void => {
    if (running === run) running = undefined
    run.cancellation.cancel(reason)
  }

  const poll: DeviceAuthorization['poll'] = async (options = {}) => {
    checkedNames('options', options, { signal: true, onEvent: true })
    const listener = joinListeners(options.onEvent)
    const { cancellation, leave } = follow(signals, options.signal)
    if (listener !== undefined) listeners.add(listener)
    running ??= start()
    const run = running
    run.waiting++
    try {
      return await race(run.result, cancellation)
    } finally {
      leave()
      if (listener !== undefined) listeners.delete(listener)
      if (--run.waiting === 0) stop(run, cancellation.reason)
    }
  }
  return { ...facts, poll }
}
