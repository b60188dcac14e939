import { strict as assert } from 'node:assert'
import { type Operation, operations, type QueryParameter } from '@buildwire/sdk/contract'
import {
  ask,
  type ConformanceRow,
  expectStatus,
  NotApplicable,
  row,
  type Target,
} from '../target.js'
import { namesAt, needsOf, noSuchId, pathOf } from './operations.js'

// biome-ignore lint/suspicious/noExplicitAny: items of every shape
type Item = any

/** A filter of a list, with the name that the contract gives it. */
interface Filter {
  readonly operation: Operation
  readonly name: string
  readonly parameter: QueryParameter
}

/** Parameters that say which page is sent, or what an item shows: they are not filters. */
const isFilter = ([name, { kind }]: readonly [string, QueryParameter]): boolean =>
  name !== 'page' && name !== 'per_page' && kind !== 'boolean'

/** Every filter of every list of the contract: a new one needs no row of its own. */
const filters: readonly Filter[] = Object.values(operations)
  .filter(({ result }) => result === 'page')
  .flatMap((operation) =>
    Object.entries(operation.query)
      .filter(isFilter)
      .map(([name, parameter]) => ({ operation, name, parameter })),
  )

/** The value of a filter that finds an item, where its name is not the name of a field. */
const values: Readonly<Record<string, (item: Item) => string | undefined>> = {
  creator: ({ creator }) => creator?.id,
  state: ({ state, blocked }) => (blocked === true ? 'blocked' : state),
  created_from: ({ created_at }) => created_at,
  created_to: ({ created_at }) => new Date(Date.parse(created_at) + 1).toISOString(),
  finished_from: ({ finished_at }) => finished_at ?? undefined,
}

/** Filters by values that an item of a list does not show: AT-label rows test them by a change. */
const hidden: ReadonlySet<string> = new Set(['label', 'labels'])

/** Each spelling of a filter with the value that finds an item; none if the item has no value. */
function queriesFor({ name, parameter }: Filter, item: Item): readonly string[] {
  if (parameter.kind === 'map') {
    const [entry] = Object.entries(item[name] ?? {})
    return entry === undefined ? [] : [pair(`${name}[${entry[0]}]`, String(entry[1]))]
  }
  const value = (values[name] ?? ((one: Item) => one[name]))(item)
  if (typeof value !== 'string' || value === '') return []
  const spellings = parameter.kind === 'array' ? [name, `${name}[]`] : [name]
  return spellings.map((spelling) => pair(spelling, value))
}

/** A query that finds nothing in this list, or undefined if each value finds something. */
function emptyQuery({ name, parameter }: Filter, items: readonly Item[]): string | undefined {
  switch (parameter.kind) {
    case 'map':
      return pair(`${name}[there-is-no-such-key]`, 'x')
    case 'time':
      return pair(name, name.endsWith('_to') ? '2000-01-01T00:00:00Z' : '2999-01-01T00:00:00Z')
    case 'uuid':
      return pair(name, noSuchId)
    default: {
      const shown = new Set(items.map((item) => values[name]?.(item)))
      const unused = parameter.words?.find((word) => !shown.has(word) && word !== 'finished')
      if (parameter.words !== undefined) return unused && pair(name, unused)
      return pair(name, 'there-is-no-such-value')
    }
  }
}

const pair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

async function itemsAt(target: Target, path: string, query = ''): Promise<readonly Item[]> {
  const answer = await ask(target, `${path}?per_page=100&${query}`)
  expectStatus(answer, 200)
  return answer.json
}

/** The path and items of a list that is not empty, below one of the newest builds if need be. */
async function filledList(target: Target, operation: Operation) {
  const names = namesAt(target)
  const builds = operation.path.includes('{number}')
    ? await itemsAt(target, pathOf(operations['builds.listForPipeline'], names))
    : [{ number: 0, jobs: [] }]
  for (const { number, jobs } of builds.slice(0, 20)) {
    const jobIds = operation.path.includes('{job_id}') ? jobs.map(({ id }: Item) => id) : ['']
    for (const job_id of jobIds) {
      const path = pathOf(operation, { ...names, number: String(number), job_id })
      const items = await itemsAt(target, path)
      if (items.length > 0) return { path, items }
    }
  }
  throw new NotApplicable(`no list of ${operation.id} has an item`)
}

const idOf = ({ id }: Item): string => id

function noneRow(filter: Filter): ConformanceRow {
  const { operation, name } = filter
  return row(
    needsOf(operation),
    `DF-${operation.id}-${name}-none ${levelOf(filter)} wire/filters: ${operation.id} finds nothing by a ${name} that no item has`,
    async (target) => {
      const { path, items } = await filledList(target, operation)
      const query = emptyQuery(filter, items)
      if (query === undefined) throw new NotApplicable(`items have every ${name}`)
      assert.deepEqual((await itemsAt(target, path, query)).map(idOf), [], query)
    },
  )
}

function valueRow(filter: Filter): ConformanceRow {
  const { operation, name } = filter
  return row(
    needsOf(operation),
    `DF-${operation.id}-${name}-value ${levelOf(filter)} wire/filters: ${operation.id} finds an item by its ${name}, in each spelling`,
    async (target) => {
      const { path, items } = await filledList(target, operation)
      const item = items.find((one) => queriesFor(filter, one).length > 0)
      if (item === undefined) throw new NotApplicable(`no item has a ${name}`)
      for (const query of queriesFor(filter, item)) {
        const found = (await itemsAt(target, path, query)).map(idOf)
        assert.ok(found.includes(idOf(item)), `${query} does not find ${idOf(item)}`)
      }
    },
  )
}

function levelOf({ operation, parameter }: Filter): 'M' | 'D' {
  return operation.extension || parameter.extension === true ? 'D' : 'M'
}

/** Rows for each filter: a server that ignores the filter, or one spelling of it, fails one. */
export const derivedFilterRows: readonly ConformanceRow[] = filters.flatMap((filter) =>
  hidden.has(filter.name) ? [noneRow(filter)] : [noneRow(filter), valueRow(filter)],
)
