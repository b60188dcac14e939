import { checkedNames } from '../base/checked.js'
import { ConfigError, isCiError } from '../errors/errors.js'
import type { CallResult } from './api-promise.js'
import type { AnswerReader, EncodedCall } from './call.js'
import { type CallOptions, callNames } from './client-options.js'
import type { ClientContext } from './context.js'
import { RetryLoop } from './retry-loop.js'
import { RunningCall } from './running-call.js'

/**
 * Looks whether the first, lost attempt has done the work, when its repetition is refused because
 * of the record's state. With a result the call succeeds instead of throwing.
 */
export type Reconcile<T> = (options: CallOptions) => Promise<CallResult<T> | undefined>

/**
 * Sends a call: `read` makes data of its success, every other answer is a typed error. The promise
 * also rejects with what `prepare` throws.
 */
export async function send<T>(
  context: ClientContext,
  prepare: () => EncodedCall,
  options: CallOptions,
  read: AnswerReader<T>,
  reconcile?: Reconcile<T>,
): Promise<CallResult<T>> {
  if (context.lifetime.closed())
    throw new ConfigError('client', 'This client is closed: make a new one')
  checkedNames('options', options, callNames)
  const call = prepare()
  const running = new RunningCall(context, call, options)
  const loop = new RetryLoop(running, options)
  const { signal } = options
  let unwatch =
    signal === undefined ? () => {} : context.hub.watch(signal, () => running.leave(signal.reason))

  try {
    const answer = await loop.answer()
    if (call.everyStatus || running.isSuccess(answer)) {
      if (answer.stream !== undefined) {
        running.handOver(answer, answer.stream, unwatch)
        unwatch = () => {}
      }
      return { data: running.read(read, answer), response: running.info(answer) }
    }
    const mayBeDone = running.maybeSent && stateRefusals.has(answer.status)
    if (mayBeDone && reconcile !== undefined) {
      const timeoutMs = Math.max(1, running.remaining())
      const done = await reconcile({ ...options, timeoutMs }).catch(undefinedIfOurs)
      if (done !== undefined) return done
    }
    throw running.refusal(answer)
  } catch (error) {
    throw running.withCallId(error)
  } finally {
    unwatch()
  }
}

/** Services differ in how they say that something is done already. */
const stateRefusals: ReadonlySet<number> = new Set([400, 409, 422])

/** After a failed look the refusal is thrown instead; an abort is the caller's own error. */
function undefinedIfOurs(error: unknown): undefined {
  if (!isCiError(error)) throw error
}
