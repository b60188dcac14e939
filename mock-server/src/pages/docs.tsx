/** @jsxImportSource hono/jsx */
import { type JsonObject, type JsonValue, type Operation, operations } from '@buildwire/sdk/contract'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { asset } from '../base/asset.js'
import { once } from '../base/once.js'
import { escaped } from '../present/present-attachment.js'
import { contract } from '../request/openapi.js'
import { recordPage, sheet } from './answer.js'
import type { PageRequest } from './page-context.js'
import { Facts, Section } from './record.js'

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const object = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Follows a `$ref` inside the document. */
function resolve(value: JsonObject): JsonObject {
  const pointer = text(value['$ref'])
  if (!pointer.startsWith('#/')) return value
  const target = pointer
    .slice(2)
    .split('/')
    .reduce<JsonValue | undefined>((node, key) => object(node)[key.replaceAll('~1', '/')], contract())
  return object(target)
}

function typeOf(schema: JsonObject): string {
  const pointer = text(schema['$ref'])
  if (pointer !== '') return pointer.slice(pointer.lastIndexOf('/') + 1)
  if (schema['enum'] || schema['x-open-enum']) {
    const words = schema['enum'] ?? schema['x-open-enum']
    return Array.isArray(words) ? words.map((word) => JSON.stringify(word)).join(' | ') : 'string'
  }
  const alternatives = list(schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'])
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' | ')
  const type = schema['type']
  const names = Array.isArray(type) ? type.map(String) : [text(type) || 'any']
  return names.map((name) => (name === 'array' ? `${typeOf(object(schema['items']))}[]` : name)).join(' | ')
}

/** Descriptions are paragraphs of plain words with `code` in backticks. */
function Prose({ source }: { readonly source: string }) {
  return (
    <>
      {source
        .trim()
        .split(/\n\s*\n/)
        .map((paragraph) => (
          <p>{paragraph.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</p>
        ))}
    </>
  )
}

interface Row {
  readonly name: string
  readonly type: string
  readonly note: string
  readonly description: string
}

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) =>
  rows.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <Facts facts={rows.map(factOf)} />
    </>
  )

const factOf = ({ name, type, note, description }: Row) => ({
  name: <code>{name}</code>,
  value: (
    <>
      <p class="hint">
        <code>{type}</code> {note}
      </p>
      <Prose source={description} />
    </>
  ),
})

function propertiesOf(schema: JsonObject): readonly Row[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(object(schema['properties'])).map(([name, value]) => ({
    name,
    type: typeOf(object(value)),
    note: required.includes(name) ? 'required' : '',
    description:
      text(object(value)['description']) || text(resolve(object(value))['description']).split('\n\n', 1)[0] || '',
  }))
}

const bodySchema = (operation: JsonObject): JsonObject => {
  const [content] = Object.values(object(resolve(object(operation['requestBody']))['content']))
  return resolve(object(object(content)['schema']))
}

interface EntryProps {
  readonly id: string
  readonly summary: Child
  readonly schema: JsonObject
  readonly children: Child
}

/** Something that unfolds: an operation or a record, with what its description says. */
const Entry = ({ id, summary, schema, children }: EntryProps) => (
  <details id={id}>
    <summary>{summary}</summary>
    <div class="body">
      <Prose source={text(schema['description'])} />
      {children}
    </div>
  </details>
)

const specOf = ({ path, method }: Operation): JsonObject => object(object(contract().paths[path])[method.toLowerCase()])

function OperationView(operation: Operation) {
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
    const response = resolve(object(answer))
    const [content] = Object.values(object(response['content']))
    const type = content ? typeOf(object(object(content)['schema'])) : ''
    return { name: status, type, note: '', description: text(response['description']) }
  })
  const summary = (
    <>
      <span class="method">{method}</span>
      <code>{path}</code>
      <span class="hint">{text(spec['summary'])}</span>
    </>
  )
  return (
    <Entry id={id} summary={summary} schema={spec}>
      <p class="hint">
        <code>{id}</code>
        {scope === null ? null : ' needs the scope '}
        {scope === null ? null : <code>{scope}</code>}
        {extension ? ' · an extension: other servers of this API may lack it' : ''}
      </p>
      <Rows title="Parameters" rows={parameters} />
      <Rows title="Body" rows={propertiesOf(bodySchema(spec))} />
      <Rows title="Answers" rows={answers} />
    </Entry>
  )
}

function SchemaView([name, value]: readonly [name: string, value: JsonValue]) {
  const schema = object(value)
  const summary = (
    <>
      <code>{name}</code>
      <span class="hint">{text(schema['description']).split(/\.\s|\n/, 1)[0]}</span>
    </>
  )
  const type = schema['properties'] ? null : <code>{typeOf(schema)}</code>
  return (
    <Entry id={name} summary={summary} schema={schema}>
      {type ? <p class="hint">{type}</p> : null}
      <Rows title="Properties" rows={propertiesOf(schema)} />
    </Entry>
  )
}

/** `/docs`: the contract as one page, made from the document that the API itself serves. */
export function docs(c: PageRequest): Response {
  const groups = new Map<string, Operation[]>()
  for (const operation of Object.values(operations)) {
    const [tag] = specOf(operation)['tags'] as readonly string[]
    once(groups, tag ?? '', () => []).push(operation)
  }
  const schemas = Object.entries(object(contract().components['schemas']))
  const { urls } = c.env.sandbox
  const lead = (
    <>
      For programs: <a href={`${urls.baseUrl}/openapi.json`}>openapi.json</a>. How to get a token:{' '}
      <a href={`${urls.webUrl}/docs/authentication`}>authentication</a>.
    </>
  )
  return recordPage(
    c,
    { title: 'API reference', current: 'docs', lead },
    <>
      {[...groups].map(([group, members]) => (
        <Section title={group[0]?.toUpperCase() + group.slice(1)} beside={members.length} docs>
          {members.map(OperationView)}
        </Section>
      ))}
      <Section title="Records" beside={schemas.length} docs>
        {schemas.map(SchemaView)}
      </Section>
    </>,
  )
}

/** `/docs/authentication`: where the text of every 401 sends its reader. */
export function authentication(c: PageRequest): Response {
  const { urls, settings } = c.env.sandbox
  const values: Readonly<Record<string, string>> = { ...urls, vendor: settings.vendor }
  const text = asset('pages/authentication.html').replace(/\{(\w+)\}/g, (_, name) => escaped(values[name] ?? ''))
  return sheet(c, { title: 'Authentication', current: 'docs', docs: true }, raw(text))
}
