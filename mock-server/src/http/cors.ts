/** `*`, the origins that may read answers, or none at all. */
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

/** Headers of a preflight's 204: what was asked for is allowed. */
export function preflightHeaders(option: CorsOption, request: Headers): Record<string, string> {
  const asked = request.get('access-control-request-headers')
  return {
    ...allowOrigin(option, request.get('origin')),
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ...(asked !== null && { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '600',
  }
}
