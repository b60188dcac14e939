import { createRequire } from 'node:module'
import { type OpenApiDocument, operations } from '@buildwire/sdk/contract'
import type { Urls } from './context.js'

const require = createRequire(import.meta.url)

/** The contract as a value, read when somebody first asks for it. */
export const contract = (): OpenApiDocument => require('@buildwire/sdk/openapi.json')

const authPaths: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ server, path }) => (server === 'auth' ? [path] : [])),
)

/** The contract as this server serves it: with its own URLs, those of the OAuth endpoints at their own origin. */
export const openapiBytes = ({ baseUrl, authUrl }: Urls): Uint8Array => {
  const paths = Object.entries(contract().paths).map(([path, item]) => [
    path,
    authPaths.has(path) ? { ...item, servers: [{ url: authUrl }] } : item,
  ])
  return Buffer.from(JSON.stringify({ ...contract(), servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) }))
}
