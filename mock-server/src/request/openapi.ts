import { openapiDocument } from '@buildwire/sdk/contract'
import type { Urls } from '../context.js'

/** The contract as this server serves it: with its own URLs. */
export const openapiBytes = ({ baseUrl }: Urls): Uint8Array =>
  Buffer.from(JSON.stringify({ ...openapiDocument, servers: [{ url: baseUrl }] }))
