import { checkedNames } from '../base/checked.js'
import { ConfigError, isCiError } from '../errors/errors.js'
import type { Sent } from './api-promise.js'
import type { Call, Read } from './call.js'
import { type CallOptions, type ClientContext, callNames } from './context.js'
import { Run } from './run.js'

/**
 * Asked instead of throwing when a replay is refused for the state of things: the first, lost
 * attempt may have done the work.
 */
export type Reconcile<T> = (options: CallOptions) => Promise<Sent<T> | undefined>

/**
 * Sends a call: `read` makes data of its success, every other answer is a typed error. What
 * `prepare` refuses rejects, too.
 */
export async function send<T>(
  context: ClientContext,
  prepare: () => Call,
  options: CallOptions,
  read: Read<T>,
  reconcile?: Reconcile<T>,
): Promise<Sent<T>> {
  if (context.lifetime.closed())
    throw new ConfigError('client', 'This client is closed: make a new one')
  checkedNames('options', options, callNames)
  const call = prepare()
  const run = new Run(context, call, options)
  const { signal } = options
  let unwatch =
    signal === undefined ? () => {} : context.hub.watch(signal, () => run.leave(signal.reason))
  try {
    const answer = await run.answer()
    if (call.everyStatus || run.isSuccess(answer)) {
      if (answer.stream !== undefined) {
        run.handOver(answer, answer.stream, unwatch)
        unwatch = () => {}
      }
      return { data: run.read(read, answer), response: run.info(answer) }
    }
    if (stateRefusals.has(answer.status) && run.maybeSent && reconcile !== undefined) {
      const done = await reconcile({ ...options, timeoutMs: Math.max(1, run.remaining()) }).catch(
        unlessOurs,
      )
      if (done !== undefined) return done
    }
    throw run.refusal(answer)
  } catch (error) {
    throw run.told(error)
  } finally {
    unwatch()
  }
}

/** Services differ in how they say that something is done already. */
const stateRefusals: ReadonlySet<number> = new Set([400, 409, 422])

/** A look that failed leaves the refusal as the news; an abort is the caller's own. */
function unlessOurs(error: unknown): undefined {
  if (!isCiError(error)) throw error
}
