import { createRequire } from 'node:module'
import type { OpenApiDocument } from '@buildwire/sdk/contract'

/** The contract as the SDK package exports it: `npm run build` made it of `sdk/openapi.yaml`. */
export const openapiDocument: OpenApiDocument = createRequire(import.meta.url)(
  '@buildwire/sdk/openapi.json',
)
