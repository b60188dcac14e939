import { isError } from '../errors/redact.js'
import { checkedFunction } from './checked.js'

/** Which attempt of which call it is, as events, middleware and errors name it. */
export interface AttemptInfo {
  /** One for all attempts of a call; also `error.callId`. */
  readonly callId: string
  readonly operationId: string
  /** From 1. */
  readonly attempt: number
}

/** An attempt as all its events name it. */
export interface AttemptFacts extends AttemptInfo {
  readonly method: string
  /** Without query: filters may hold personal data. */
  readonly path: string
}

/** A request is about to be sent. */
export interface RequestEvent extends AttemptFacts {
  readonly type: 'request'
}

/** An answer or a failure came back; `status` is absent when there was no answer. */
export interface ResponseEvent extends AttemptFacts {
  readonly type: 'response'
  readonly status?: number | undefined
  /** Whole milliseconds. */
  readonly durationMs: number
  readonly requestId?: string | undefined
}

/** The call goes on with another attempt after `delayMs`; `attempt` is the one that failed. */
export interface RetryEvent extends AttemptFacts {
  readonly type: 'retry'
  /** The code of the error that this attempt alone would have thrown. */
  readonly code: string
  readonly delayMs: number
}

/** A call waits because the server has said that a request window is used up. */
export interface RateLimitEvent {
  readonly type: 'rate_limit'
  readonly callId: string
  readonly window: 'organization' | 'user'
  readonly delayMs: number
}

/** What the token cache did for one `getToken`. */
export interface TokenEvent {
  readonly type: 'token'
  readonly kind: 'hit' | 'stale' | 'refresh' | 'join' | 'negative' | 'invalidate' | 'refresh_failed'
}

/** One step of a device authorization: the next request follows after `delayMs`. */
export interface DeviceEvent {
  readonly type: 'device'
  readonly kind: 'polling' | 'slow_down' | 'retrying'
  readonly delayMs: number
}

/** One step of `waitForBuild`. */
export interface BuildEvent {
  readonly type: 'build'
  readonly kind: 'state' | 'unknown_state' | 'error'
  readonly number: number
  readonly state?: string | undefined
  readonly delayMs?: number | undefined
}

/** A token store failed; the call went on without it. */
export interface StoreErrorEvent {
  readonly type: 'store_error'
  readonly action: 'get' | 'set' | 'lock'
  readonly code: string
}

/** Everything that `onEvent` can see. No event ever holds a token, a header, a query or a body. */
export type CiEvent =
  | RequestEvent
  | ResponseEvent
  | RetryEvent
  | RateLimitEvent
  | TokenEvent
  | DeviceEvent
  | BuildEvent
  | StoreErrorEvent

/**
 * Looks at events, synchronously; what it throws becomes a process warning and changes nothing.
 *
 * @example
 * ```ts
 * const listener: CiEventListener = (event) => {
 *   if (event.type === 'retry') console.error(`${event.path}: again in ${event.delayMs} ms`)
 * }
 * ```
 */
export type CiEventListener = (event: CiEvent) => void

/**
 * One listener that calls several and catches what they throw. Undefined without listeners, so that
 * no event is built in vain. @throws ConfigError
 */
export function joinListeners(
  ...listeners: readonly (CiEventListener | undefined)[]
): CiEventListener | undefined {
  for (const listener of listeners) checkedFunction('onEvent', listener)
  const present = listeners.filter((listener) => listener !== undefined)
  if (present.length === 0) return undefined
  return (event) => {
    for (const listener of present) {
      try {
        listener(event)
      } catch (error) {
        const name = isError(error) ? error.name : typeof error
        const text = `onEvent threw (${name}) at event "${event.type}"`
        if (globalThis.process?.emitWarning === undefined) globalThis.console?.warn(text)
        else globalThis.process.emitWarning(text, 'BuildwireWarning')
      }
    }
  }
}
