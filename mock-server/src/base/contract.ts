import type { OpenApiDocument } from '@buildwire/sdk/contract'
import document from '@buildwire/sdk/openapi.json' with { type: 'json' }

/** The contract as an OpenAPI document. */
export const contract: OpenApiDocument = document
