/** @jsxImportSource hono/jsx */
import type { JsonObject, JsonValue } from '@buildwire/sdk/contract'
import { raw } from 'hono/html'
import { asset } from '../base/asset.js'
import { escaped } from '../present/present-attachment.js'
import { contract } from '../request/openapi.js'
import { recordPage, sheet } from './answer.js'
import type { PageRequest } from './page-context.js'
import { Section } from './record.js'

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
    <section class="scroll" aria-label={title} tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, note, description }) => (
            <tr>
              <td>
                <code>{name}</code> {note ? <small>{note}</small> : null}
              </td>
              <td>
                <code>{type}</code>
              </td>
              <td>
                <Prose source={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )

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

function Operation({
  method,
  path,
  operation,
}: {
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
}) {
  const id = text(operation['operationId'])
  const scopes = list(operation['security']).flatMap((entry) =>
    Object.values(entry).flatMap((names) => (Array.isArray(names) ? names : [])),
  )
  const parameters = list(operation['parameters'])
    .map(resolve)
    .map((parameter) => ({
      name: text(parameter['name']),
      type: typeOf(object(parameter['schema'])),
      note: parameter['required'] === true ? 'required' : text(parameter['in']),
      description: text(parameter['description']),
    }))
  const answers = Object.entries(object(operation['responses'])).map(([status, answer]) => {
    const response = resolve(object(answer))
    const [content] = Object.values(object(response['content']))
    return {
      name: status,
      type: content ? typeOf(object(object(content)['schema'])) : '',
      note: '',
      description: text(response['description']),
    }
  })
  return (
    <details id={id}>
      <summary>
        <span class="method">{method.toUpperCase()}</span>
        <code>{path}</code>
        <span class="hint">{text(operation['summary'])}</span>
      </summary>
      <div class="body">
        <Prose source={text(operation['description'])} />
        <p class="hint">
          <code>{id}</code>
          {scopes.length > 0 ? (
            <>
              {' '}
              needs the scope <code>{scopes.join(' ')}</code>
            </>
          ) : null}
          {operation['x-extension'] === true ? ' · an extension: other servers of this API may lack it' : ''}
        </p>
        <Rows title="Parameter" rows={parameters} />
        <Rows title="Body" rows={propertiesOf(bodySchema(operation))} />
        <Rows title="Answer" rows={answers} />
      </div>
    </details>
  )
}

/** `/docs`: the contract as one page, made from the document that the API itself serves. */
export function docs(c: PageRequest): Response {
  const groups = new Map<string, { method: string; path: string; operation: JsonObject }[]>()
  for (const [path, item] of Object.entries(contract().paths)) {
    for (const [method, value] of Object.entries(item)) {
      const operation = object(value)
      if (!operation['operationId']) continue
      const [tag] = Array.isArray(operation['tags']) ? operation['tags'] : []
      const group = text(tag) || 'other'
      groups.set(group, [...(groups.get(group) ?? []), { method, path, operation }])
    }
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
      {[...groups].map(([group, operations]) => (
        <Section title={group[0]?.toUpperCase() + group.slice(1)} beside={operations.length} docs>
          {operations.map((entry) => (
            <Operation {...entry} />
          ))}
        </Section>
      ))}
      <Section title="Records" beside={schemas.length} docs>
        {schemas.map(([name, value]) => (
          <details id={name}>
            <summary>
              <code>{name}</code>
              <span class="hint">{text(object(value)['description']).split(/\.\s|\n/, 1)[0]}</span>
            </summary>
            <div class="body">
              <Prose source={text(object(value)['description'])} />
              {object(value)['properties'] ? null : (
                <p class="hint">
                  <code>{typeOf(object(value))}</code>
                </p>
              )}
              <Rows title="Property" rows={propertiesOf(object(value))} />
            </div>
          </details>
        ))}
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
