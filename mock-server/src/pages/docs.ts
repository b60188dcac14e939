import {
  type JsonObject,
  type JsonValue,
  type Operation,
  operations,
} from '@buildwire/sdk/contract'
import { html, raw } from 'hono/html'
import { asset } from '../base/asset.js'
import { contract } from '../base/contract.js'
import { groups } from '../base/groups.js'
import { isPlainObject } from '../fields/field.js'
import { escaped } from '../present/present-attachment.js'
import { recordPage, sheet } from './answer.js'
import type { PageRequest } from './page-context.js'
import { type Child, code, factList, section } from './record.js'

function isObject(value: JsonValue | undefined): value is JsonObject {
  return isPlainObject(value)
}

function object(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Follows a `$ref` inside the document. */
function resolve(value: JsonObject): JsonObject {
  const pointer = text(value['$ref'])
  if (!pointer.startsWith('#/')) return value
  const target = pointer
    .slice(2)
    .split('/')
    .reduce<JsonValue | undefined>((node, key) => object(node)[key.replaceAll('~1', '/')], contract)
  return object(target)
}

function typeOf(schema: JsonObject): string {
  const pointer = text(schema['$ref'])
  if (pointer !== '') return pointer.slice(pointer.lastIndexOf('/') + 1)
  const words = schema['enum'] ?? schema['x-open-enum']
  if (words)
    return Array.isArray(words) ? words.map((word) => JSON.stringify(word)).join(' | ') : 'string'

  const alternatives = list(schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'])
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' | ')
  const type = schema['type']
  const names = Array.isArray(type) ? type.map(String) : [text(type) || 'any']
  return names
    .map((name) => (name === 'array' ? `${typeOf(object(schema['items']))}[]` : name))
    .join(' | ')
}

/** Descriptions are paragraphs of plain words with `code` in backticks. */
function prose(source: string): Child {
  return source
    .trim()
    .split(/\n\s*\n/)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split('`').map((part, at) => (at % 2 === 1 ? code(part) : part))}</p>`,
    )
}

interface DocumentedField {
  readonly name: string
  readonly type: string
  readonly note: string
  readonly description: string
}

function table(title: string, fields: readonly DocumentedField[]): Child {
  const about = ({ type, note, description }: DocumentedField) =>
    html`<p class="hint">${code(type)} ${note}</p>${prose(description)}`
  const facts = factList(fields.map((field) => [code(field.name), about(field)]))
  return facts && html`<h3>${title}</h3>${facts}`
}

function propertiesOf(schema: JsonObject): readonly DocumentedField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(object(schema['properties'])).map(([name, value]) => ({
    name,
    type: typeOf(object(value)),
    note: required.includes(name) ? 'required' : '',
    description:
      text(object(value)['description']) ||
      text(resolve(object(value))['description']).split('\n\n', 1)[0] ||
      '',
  }))
}

/** The schema of a body or an answer. */
function contentOf(value: JsonValue | undefined): JsonObject | undefined {
  const [content] = Object.values(object(resolve(object(value))['content']))
  return content === undefined ? undefined : object(object(content)['schema'])
}

/** A part that unfolds: an operation or a record with its description. */
function foldable(id: string, summary: Child, schema: JsonObject, content: Child): Child {
  return html`<details id="${id}">
  <summary>${summary}</summary>
  <div class="body">${prose(text(schema['description']))}${content}</div>
</details>`
}

function specOf({ path, method }: Operation): JsonObject {
  return object(object(contract.paths[path])[method.toLowerCase()])
}

function operationView(operation: Operation): Child {
  const { id, method, path, scope, extension } = operation
  const spec = specOf(operation)
  const parameters = list(spec['parameters'])
    .map(resolve)
    .map((parameter) => ({
      name: text(parameter['name']),
      type: typeOf(object(parameter['schema'])),
      note: parameter['required'] === true ? 'required' : text(parameter['in']),
      description: text(parameter['description']),
    }))
  const answers = Object.entries(object(spec['responses'])).map(([status, answer]) => {
    const content = contentOf(answer)
    const description = text(resolve(object(answer))['description'])
    return { name: status, type: content ? typeOf(content) : '', note: '', description }
  })
  const hint = html`<p class="hint">${code(id)}${scope !== null && [' needs the scope ', code(scope)]}
    ${extension && '· an extension: other servers of this API may lack it'}</p>`
  return foldable(
    id,
    html`<span class="method">${method}</span>${code(path)}<span class="hint">${text(spec['summary'])}</span>`,
    spec,
    [
      hint,
      table('Parameters', parameters),
      table('Body', propertiesOf(resolve(contentOf(spec['requestBody']) ?? {}))),
      table('Answers', answers),
    ],
  )
}

function schemaView([name, value]: readonly [name: string, value: JsonValue]): Child {
  const schema = object(value)
  const summary = html`${code(name)}<span class="hint">${text(schema['description']).split(/\.\s|\n/, 1)[0]}</span>`
  const type = !schema['properties'] && html`<p class="hint">${code(typeOf(schema))}</p>`
  return foldable(name, summary, schema, [type, table('Properties', propertiesOf(schema))])
}

/** `/docs`: the contract as one page, made from the document at `/openapi.json`. */
export function docs(c: PageRequest): Response {
  const { urls } = c.env.sandbox
  const look = 'card docs'
  const tagOf = (operation: Operation): string => String(specOf(operation)['tags'])
  const operationSections = [...groups(Object.values(operations), tagOf)].map(([tag, members]) =>
    section(
      { title: tag[0]?.toUpperCase() + tag.slice(1), beside: members.length, look },
      members.map(operationView),
    ),
  )
  const schemas = Object.entries(object(contract.components['schemas']))
  const records = section(
    { title: 'Records', beside: schemas.length, look },
    schemas.map(schemaView),
  )
  const lead = html`For programs: <a href="${urls.baseUrl}/openapi.json">openapi.json</a>. How to get a token:
    <a href="${urls.webUrl}/docs/authentication">authentication</a>.`
  return recordPage(c, { title: 'API reference', current: 'docs', lead }, [
    operationSections,
    records,
  ])
}

/** `/docs/authentication`: the page that the message of every 401 names. */
export function authentication(c: PageRequest): Response {
  const { urls, settings } = c.env.sandbox
  const values: Readonly<Record<string, string>> = { ...urls, vendor: settings.vendor }
  const text = asset('pages/authentication.html').replace(/\{(\w+)\}/g, (_, name) =>
    escaped(values[name] ?? ''),
  )
  return sheet(c, { title: 'Authentication', current: 'docs', look: 'body docs' }, raw(text))
}
