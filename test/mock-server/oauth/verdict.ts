import type { Decision } from '../../../mock-server/src/domain/decision.js'

/** `code: message (detail)` of a refusal, else what was accepted. */
export const verdict = <T>(decision: Decision<T>): T | string => {
  if (decision.ok) return decision.value
  const { code, message, detail } = decision.failure
  return `${code}: ${message}${detail === undefined ? '' : ` (${detail})`}`
}

/** As `verdict`, where what was accepted is not in question. */
export const outcome = (decision: Decision<unknown>): string =>
  decision.ok ? 'ok' : String(verdict(decision))
