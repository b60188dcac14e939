import { type JsonValue, serverDocument } from '@buildwire/sdk/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../support/contract.js'

interface Example {
  readonly place: string
  readonly schema: string
  readonly value: JsonValue
}

interface Media {
  readonly schema?: JsonValue
  readonly examples?: Readonly<
    Record<string, { readonly $ref?: string; readonly value?: JsonValue }>
  >
}

const examplesByName = openapiDocument.components['examples'] as unknown as Readonly<
  Record<string, { value: JsonValue }>
>

/** Every example in the document, with the pointer to its schema. */
function examplesIn(value: JsonValue, pointer: string): Example[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema, examples } = value as Media
  const here =
    schema === undefined || examples === undefined
      ? []
      : Object.entries(examples).map(([name, example]) => ({
          place: `${pointer} ${name}`,
          schema: `${pointer}/schema`,
          value:
            example.value ?? examplesByName[example.$ref?.split('/').at(-1) ?? '']?.value ?? null,
        }))
  const below = Object.entries(value).flatMap(([key, part]) => {
    const name = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
    return examplesIn(part as JsonValue, `${pointer}/${name}`)
  })
  return [...here, ...below]
}

const parts = {
  paths: openapiDocument.paths,
  components: { responses: openapiDocument.components['responses'] ?? {} },
}
const examples = examplesIn(parts, '#')

describe('examples', () => {
  const client = new Ajv2020({ strict: false, formats: { uuid: true, 'date-time': true } })
  client.addSchema(openapiDocument, 'client.json')
  const server = new Ajv2020({ strict: false, formats: { uuid: true, 'date-time': true } })
  server.addSchema(serverDocument(openapiDocument), 'server.json')

  it('are more than sixty', () => {
    expect(examples.length).toBeGreaterThan(60)
  })

  it.each(examples)('$place', ({ schema, value }) => {
    const asClient = client.compile({ $ref: `client.json${schema}` })
    expect(asClient(value), JSON.stringify(asClient.errors)).toBe(true)
    const asServer = server.compile({ $ref: `server.json${schema}` })
    expect(asServer(value), JSON.stringify(asServer.errors)).toBe(true)
  })

  it('exist for every request and every response with a body', () => {
    const empty: string[] = []
    const visit = (value: JsonValue, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, part] of Object.entries(value)) {
        if (key === 'content') {
          for (const media of Object.values(part as Record<string, Media>)) {
            if (Object.keys(media.examples ?? {}).length === 0) empty.push(pointer)
          }
        }
        visit(part as JsonValue, `${pointer}/${key}`)
      }
    }
    visit(parts, '#')
    expect(empty).toEqual([])
  })

  it('name only reserved example hosts and loopback', () => {
    const hosts =
      JSON.stringify(openapiDocument).match(/(?<=https?:\/\/|@)[a-z0-9.-]+\.[a-z0-9]+/g) ?? []
    expect(hosts.length).toBeGreaterThan(10)
    for (const host of hosts) expect(host).toMatch(/(^|\.)acme\.example$|^127\.0\.0\.1$/)
  })
})
