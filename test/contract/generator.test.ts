import { describe, expect, it } from 'vitest'
import type { Document, OperationObject, Schema } from '../../sdk/tools/document.js'
import { literal } from '../../sdk/tools/literal.js'
import { renderOperations } from '../../sdk/tools/operation-table.js'
import { inputType, renderSchemas } from '../../sdk/tools/schema-types.js'

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

const thingGet: OperationObject = {
  operationId: 'things.change',
  summary: 'Change a thing',
  description: 'Changes a thing.',
  security: [{ bearer: ['write_things'] }],
  parameters: [ref('parameters', 'slug'), ref('parameters', 'since'), ref('parameters', 'colors')],
  requestBody: { content: { 'application/json': { schema: ref('schemas', 'ChangeBody') } } },
  responses: { '200': { content: { 'application/json': { schema: ref('schemas', 'Thing') } } }, '404': {} },
  'x-params': 'ChangeThingParams',
  'x-params-extends': ['ThingPath', 'ChangeBody'],
  'x-retry-safe': true,
  'x-extension': true,
}

function documentOf(schemas: Record<string, Schema>): Document {
  return {
    paths: { '/v2/things/{slug}': { put: thingGet } },
    'x-params': { ThingPath: { description: 'A thing.', parameters: ['slug'] } },
    components: {
      securitySchemes: { bearer: { 'x-scopes': { write_things: 'Change things.' } } },
      parameters: {
        slug: { name: 'slug', in: 'path', required: true, description: 'Its slug.', schema: { type: 'string' } },
        since: { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } },
        colors: { name: 'colors[]', in: 'query', schema: { type: 'array', items: ref('schemas', 'ColorFilter') } },
      },
      schemas: {
        Color: { type: 'string', 'x-open-enum': ['red', "it's"] },
        ColorFilter: { type: 'string', enum: ['red', 'blue'], 'x-const': 'COLORS' },
        Thing: {
          type: 'object',
          required: ['id', 'color'],
          'x-identity': ['id'],
          properties: {
            id: { type: 'string', description: 'Its UUID.' },
            color: ref('schemas', 'Color'),
            note: { type: ['string', 'null'] },
            owner: { anyOf: [ref('schemas', 'Thing'), { type: 'null' }] },
          },
        },
        ChangeBody: {
          type: 'object',
          required: ['labels'],
          properties: {
            labels: { type: 'array', items: { type: 'string' } },
            colors: { type: 'string', 'x-joined-by': ',', 'x-item': ref('schemas', 'ColorFilter') },
            loud: { type: 'boolean', default: false, description: 'Whether to shout.' },
          },
        },
        ...schemas,
      },
    },
  }
}

describe('schema types', () => {
  it('write an open enum as its words and any other string', async () => {
    expect(await renderSchemas(documentOf({}))).toContain(`export type Color = 'red' | "it's" | (string & {})`)
  })

  it('write a closed enum as its words alone', async () => {
    expect(await renderSchemas(documentOf({}))).toContain("export type ColorFilter = 'red' | 'blue'\n")
  })

  it('write records with optional and nullable properties, references by name', async () => {
    expect(await renderSchemas(documentOf({}))).toContain(
      [
        'export interface Thing {',
        '  /** Its UUID. */',
        '  id: string',
        '  color: Color',
        '  note?: string | null',
        '  owner?: Thing | null',
        '}',
      ].join('\n'),
    )
  })

  it('write a body for its caller: undefined is allowed, lists are read only, a joined list takes one or many', async () => {
    expect(await renderSchemas(documentOf({}))).toContain(
      [
        'export interface ChangeBody {',
        '  labels: readonly string[]',
        '  colors?: ColorFilter | readonly ColorFilter[] | undefined',
        '  /**',
        '   * Whether to shout.',
        '   * @default false',
        '   */',
        '  loud?: boolean | undefined',
        '}',
      ].join('\n'),
    )
  })

  it('write flat params: the groups, the body, and what neither holds', async () => {
    expect(await renderSchemas(documentOf({}))).toContain(
      [
        'export interface ChangeThingParams extends ThingPath, ChangeBody {',
        '  since?: string | Date | undefined',
        '  colors?: ColorFilter | readonly ColorFilter[] | undefined',
        '}',
      ].join('\n'),
    )
  })

  it('refuse a schema that they cannot write', () => {
    expect(() => inputType({ type: 'file' })).toThrow('No input type')
  })

  it('refuse a reference that leads nowhere', async () => {
    const document = documentOf({})
    const broken = { ...thingGet, parameters: [ref('parameters', 'absent')] }
    await expect(renderSchemas({ ...document, paths: { '/x': { get: broken } } })).rejects.toThrow(
      "no parameter 'absent'",
    )
  })
})

describe('the operation table', () => {
  it('has a row with everything that both sides need', () => {
    const text = renderOperations(documentOf({}))
    expect(text).toContain("export type OperationId =\n  | 'things.change'")
    expect(text).toContain("'things.change': { params: ChangeThingParams; result: Thing }")
    for (const line of [
      "method: 'PUT'",
      "path: '/v2/things/{slug}'",
      "scope: 'write_things'",
      "query: { since: { kind: 'time' }, colors: { kind: 'array', words: COLORS } }",
      "properties: ['labels', 'colors', 'loud']",
      "joined: { colors: ',' }",
      "identity: ['id']",
      'retrySafe: true',
      'extension: true',
    ]) {
      expect(text).toContain(line)
    }
    expect(text).toContain("export const COLORS = ['red', 'blue'] as const")
  })

  it('refuses an operation without a success', () => {
    const document = documentOf({})
    const broken = { ...thingGet, responses: { '404': {} } }
    expect(() => renderOperations({ ...document, paths: { '/x': { get: broken } } })).toThrow(
      'needs one 2xx or 3xx response',
    )
  })
})

describe('literal', () => {
  it('writes JSON as source, quotes and line ends escaped', () => {
    const value = { a: 'it\'s "fine"\n', 'b-c': [1, true, null], d: {} }
    const source = literal(value)
    expect(source).toBe(`{ a: 'it\\'s "fine"\\n', 'b-c': [1, true, null], d: {} }`)
    expect(new Function(`return ${source}`)()).toEqual(value)
  })

  it('breaks what does not fit on a line', () => {
    const words = Array.from({ length: 20 }, (_, index) => `word number ${index}`)
    const value = { words, records: words.map((word) => ({ word })) }
    expect(literal(value).split('\n')).toHaveLength(25)
    expect(new Function(`return ${literal(value)}`)()).toEqual(value)
  })
})
