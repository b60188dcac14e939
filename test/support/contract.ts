import { createRequire } from 'node:module'
import type { OpenApiDocument } from '@buildwire/sdk/contract'

/** The contract that the SDK package exports; `npm run build` makes it from `sdk/openapi.yaml`. */
export const openapiDocument: OpenApiDocument = createRequire(import.meta.url)(
  '@buildwire/sdk/openapi.json',
)
