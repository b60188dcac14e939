import { startTimer } from '../clock.js'
import { joinListeners } from '../events.js'
import { AttemptFailure } from '../http/attempt-failure.js'
import { type Cancellation, race } from '../http/cancellation.js'
import type { CallOptions } from '../http/context.js'
import { timeLimit } from '../http/limits.js'
import { backoff, isTransient } from '../http/retry.js'
import { errorWord } from './oauth-refusal.js'
import type { OAuthAnswer, OAuthEndpoint } from './oauth-request.js'

/** A request that may be sent again: `form` is made anew for each attempt. */
export interface OAuthCall {
  readonly form: () => Promise<Readonly<Record<string, string>>>
  readonly cancellation: Cancellation
  readonly options: CallOptions
  readonly secrets: () => readonly string[]
  /** Looks at an answer before it is judged; true sends the request once more, outside the retries. */
  readonly again?: ((answer: OAuthAnswer) => boolean) | undefined
}

/** The last answer, whatever it says, and how many attempts it took. */
export interface OAuthOutcome {
  readonly answer: OAuthAnswer
  readonly attempts: number
}

const maxRetries = 2
const transientWords = new Set(['server_error', 'temporarily_unavailable'])

/** Whether another attempt may get another answer. */
function isPassing(answer: OAuthAnswer): boolean {
  const word = errorWord(answer)
  return word === undefined ? isTransient(answer.status) : transientWords.has(word)
}

/**
 * Sends a request that may safely arrive twice: at most two retries of what may pass, all within `timeoutMs`. It never asks
 * earlier than the server allowed; a server's wait that does not fit is left to the caller in the answer.
 *
 * @throws ConnectionError or TimeoutError when no attempt was answered, and the cancellation's reason.
 */
export async function postWithRetries(endpoint: OAuthEndpoint, call: OAuthCall): Promise<OAuthOutcome> {
  const { clock, random } = endpoint
  const { cancellation, options } = call
  const timeoutMs = timeLimit('timeoutMs', options.timeoutMs, endpoint.timeoutMs)
  const onEvent = joinListeners(endpoint.onEvent, options.onEvent)
  const endsAt = clock.monotonic() + timeoutMs
  const { child: total, leave } = cancellation.child()
  const stop = startTimer(timeoutMs, () => total.cancel(new AttemptFailure(undefined, 'total')))
  let attempts = 0
  let retries = 0
  /** An attempt may have been carried out although no answer came back. */
  let maybeSent = false

  /** Waits before the next attempt; false when there is none. */
  const wait = async (code: string, serverWaitMs: number): Promise<boolean> => {
    const delayMs = serverWaitMs > 0 ? serverWaitMs + random() * 1000 : backoff(retries, random)
    if (retries === maxRetries || delayMs > endsAt - clock.monotonic()) return false
    retries++
    const { operationId, path } = endpoint
    onEvent?.({ type: 'retry', operationId, method: 'POST', path, attempt: attempts, code, delayMs })
    await clock.sleep(delayMs, total.signal)
    return true
  }

  const once = async (): Promise<OAuthAnswer | AttemptFailure> => {
    try {
      const form = await race(Promise.resolve().then(call.form), total)
      const attempt = ++attempts
      const limitMs = Math.max(1, endsAt - clock.monotonic())
      const secrets = call.secrets()
      return await endpoint.post({ form, secrets, attempt, limitMs, limitKind: 'total', cancellation: total, onEvent })
    } catch (error) {
      if (error instanceof AttemptFailure && error.retryable) return error
      throw error
    }
  }

  try {
    for (;;) {
      const result = await once()
      if (result instanceof AttemptFailure) {
        maybeSent ||= result.sent === 'unknown'
        if (!(await wait(result.code, 0))) throw result
        continue
      }
      if (call.again?.(result)) continue
      const code = errorWord(result) === undefined ? 'server_error' : 'oauth_error'
      if (!isPassing(result) || !(await wait(code, result.waitMs))) return { answer: result, attempts }
    }
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error
    const sent = maybeSent || error.sent === 'unknown' ? 'unknown' : 'no'
    throw endpoint.failure(error, { attempts, sent, limitMs: timeoutMs, secrets: call.secrets() })
  } finally {
    stop()
    leave()
  }
}
