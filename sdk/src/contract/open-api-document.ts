/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly servers: readonly JsonObject[]
  readonly paths: { readonly [path: string]: JsonObject }
  readonly components: JsonObject
}
