import { openapiDocument, operations } from '@buildwire/sdk/contract'
import type { Urls } from '../context.js'

const authPaths: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ server, path }) => (server === 'auth' ? [path] : [])),
)

/** The contract as this server serves it: with its own URLs, those of the OAuth endpoints at their own origin. */
export const openapiBytes = ({ baseUrl, authUrl }: Urls): Uint8Array => {
  const paths = Object.entries(openapiDocument.paths).map(([path, item]) => [
    path,
    authPaths.has(path) ? { ...item, servers: [{ url: authUrl }] } : item,
  ])
  return Buffer.from(
    JSON.stringify({ ...openapiDocument, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) }),
  )
}
