/** The origins that may read answers: all (`*`), those listed, or none (false). */
export type CorsOption = '*' | readonly string[] | false

const limits = ['', 'User-'].flatMap((whose) =>
  ['Scope', 'Limit', 'Remaining', 'Reset', 'Warning'].map((what) => `RateLimit-${whose}${what}`),
)
const exposed = [
  'Link, Location, Content-Range, Date, Retry-After, WWW-Authenticate, X-Request-Id',
  'X-OAuth-Scopes, X-Accepted-OAuth-Scopes',
  ...limits,
].join(', ')

function allowOrigin(option: CorsOption, origin: string | null): Record<string, string> {
  if (option === false) return {}
  if (option === '*') return { 'Access-Control-Allow-Origin': '*' }
  const allowed = origin !== null && option.includes(origin)
  return { Vary: 'Origin', ...(allowed && { 'Access-Control-Allow-Origin': origin }) }
}

export function corsHeaders(option: CorsOption, origin: string | null): Record<string, string> {
  return {
    ...allowOrigin(option, origin),
    ...(option !== false && { 'Access-Control-Expose-Headers': exposed }),
  }
}

/** The headers of the answer to a preflight: all requested headers are allowed. */
export function preflightHeaders(option: CorsOption, request: Headers): Record<string, string> {
  const requested = request.get('access-control-request-headers')
  return {
    ...allowOrigin(option, request.get('origin')),
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ...(requested !== null && { 'Access-Control-Allow-Headers': requested }),
    'Access-Control-Max-Age': '600',
  }
}
