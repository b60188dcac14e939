import {
  type JsonObject,
  type OperationId,
  operations,
  responseSchemaPointer,
  serverDocument,
} from '@buildwire/sdk/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../support/contract.js'

const strict = serverDocument(openapiDocument)
const client = new Ajv2020({ strict: false, formats: { uuid: true, 'date-time': true } }).addSchema(
  openapiDocument,
  'api',
)
const server = new Ajv2020({ strict: false, formats: { uuid: true, 'date-time': true } }).addSchema(
  strict,
  'api',
)

const validator = (ajv: Ajv2020, name: string): ValidateFunction =>
  ajv.compile({ $ref: `api#/components/schemas/${name}` })

function example(name: string): JsonObject {
  const examples = openapiDocument.components['examples'] as unknown as Record<
    string,
    { value: JsonObject }
  >
  return structuredClone(examples[name]?.value ?? {})
}

const without = (record: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

describe('serverDocument', () => {
  it('does not change the contract', () => {
    const before = JSON.stringify(openapiDocument)
    serverDocument(openapiDocument)
    expect(JSON.stringify(openapiDocument)).toBe(before)
    expect(JSON.stringify(strict)).not.toMatch(/x-server|x-open-enum/)
  })

  it.each([
    'graphql_id',
    'blocked',
    'cancel_reason',
    'source',
    'creator',
    'author',
    'failing_at',
    'rebuilt_from',
  ])('requires %s of a build, although a client does not', (key) => {
    const build = without(example('build'), key)
    expect(validator(client, 'Build')(build)).toBe(true)
    expect(validator(server, 'Build')(build)).toBe(false)
  })

  it.each([
    ['state', 'daydreaming'],
    ['source', 'pigeon'],
    ['scheduled_at', null],
    ['pull_request', null],
    ['author', 'robin@acme.example'],
    ['env', { COUNT: 1 }],
    ['created_at', '2026-03-01 09:05:00 UTC'],
  ])('refuses a build with %s %j, which a client accepts', (key, value) => {
    const build = { ...example('build'), [key]: value }
    expect(validator(client, 'Build')(build)).toBe(true)
    expect(validator(server, 'Build')(build)).toBe(false)
  })

  it('refuses the two states that no body carries', () => {
    for (const state of ['blocked', 'creating']) {
      expect(validator(server, 'Build')({ ...example('build'), state })).toBe(false)
    }
  })

  it('accepts unknown properties on both sides', () => {
    const build = { ...example('build'), merge_queue: null }
    expect(validator(client, 'Build')(build)).toBe(true)
    expect(validator(server, 'Build')(build)).toBe(true)
  })

  it('requires the keys of each type of job', () => {
    const job = validator(server, 'Job')
    expect(job(example('job'))).toBe(true)
    expect(job(example('waiter'))).toBe(true)
    expect(job(example('trigger'))).toBe(true)
    expect(job({ ...example('waiter'), name: 'Wait' })).toBe(false)
    expect(job({ ...example('trigger'), command: 'make' })).toBe(false)
    expect(job({ ...example('job'), label: 'Unit tests' })).toBe(false)
    expect(job({ ...example('job'), promised_exit_status: 1 })).toBe(false)
    expect(job(without(example('job'), 'matrix'))).toBe(false)
    expect(job({ ...example('trigger'), type: 'manual' })).toBe(false)
  })

  it('accepts an agent in its short or its full form only', () => {
    const agent = validator(server, 'Agent')
    const short = {
      id: '01951f5c-3e21-4a9d-9d72-0b1c8e3f5a03',
      url: 'http://127.0.0.1:4010/a',
      name: 'linux-1',
    }
    expect(agent(short)).toBe(true)
    expect(agent({ ...short, hostname: 'linux-1.acme.example' })).toBe(false)
    expect(validator(client, 'Agent')({ id: short.id })).toBe(true)
  })

  it('requires of a client only the few fields that every service sends', () => {
    expect(validator(client, 'Job')({ id: '1', type: 'waiter' })).toBe(true)
    expect(validator(client, 'User')({ id: '1' })).toBe(true)
    expect(validator(client, 'TokenResponse')({ access_token: 'a', token_type: 'bearer' })).toBe(
      true,
    )
  })
})

describe('responseSchemaPointer', () => {
  it.each(Object.keys(operations) as OperationId[])('finds the responses of %s', (id) => {
    const { result, status, server: endpoint } = operations[id]
    const pointer = responseSchemaPointer(strict, id, status)
    if (result !== 'text' && result !== 'empty') {
      expect(server.compile({ $ref: `api${pointer}` })).toBeTypeOf('function')
    } else {
      expect(pointer).toBeNull()
    }
    const refused = server.compile({ $ref: `api${responseSchemaPointer(strict, id, 401)}` })
    const body =
      endpoint === 'auth'
        ? { error: 'invalid_client', error_description: 'No.' }
        : { message: 'No.' }
    expect(refused(body)).toBe(true)
    expect(refused({})).toBe(false)
  })

  it('is null for a status that the operation does not have', () => {
    expect(responseSchemaPointer(strict, 'builds.get', 418)).toBeNull()
    expect(responseSchemaPointer(strict, 'builds.paint', 200)).toBeNull()
  })
})
