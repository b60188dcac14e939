import { choice, list, mapOf, object, optional } from './fields/composites.js'
import { createIssueList, type Field, formatPath, isPlainObject, kindOf } from './fields/field.js'
import { exactly, flag, integer, number, text } from './fields/scalars.js'
import { lifecycle } from './seed/step-tables.js'

/** Something that only code can hand over. */
const fn: Field<unknown> = {
  schema: {},
  check(value, at, report) {
    if (typeof value !== 'function') report.issue(at, 'must be a function')
  },
}

/** An object with these methods, its own or its class's. */
const having = (...methods: readonly string[]): Field<unknown> => ({
  schema: {},
  check(value, at, report) {
    const missing = methods.filter(
      (name) => typeof value !== 'object' || value === null || typeof Reflect.get(value, name) !== 'function',
    )
    if (missing.length > 0) report.issue(at, `must have the methods ${methods.join(', ')}`)
  },
})

const isText = (value: unknown): boolean => typeof value === 'string'

/** What a seed document says is checked when it is loaded. */
const seed: Field<unknown> = {
  schema: {},
  check(value, at, report) {
    const known = isText(value) ? /^(?:empty|demo|large:[1-9]\d*)$/.test(String(value)) : isPlainObject(value)
    if (!known) report.issue(at, `must be empty, demo, large:N, a document or { file }, not ${kindOf(value)}`)
    else if (isPlainObject(value) && Object.hasOwn(value, 'file')) text({ min: 1 }).check(value['file'], at, report)
  },
}

const size = optional(integer(1))

const optionsTable = {
  seed: optional(seed),
  clock: optional(having('now', 'monotonic', 'sleep')),
  ids: optional(having('uuid', 'dice', 'secret', 'code')),
  randomSeed: optional(
    choice<unknown>('a number or text', () => [
      { when: isText, field: text() },
      { when: (value) => typeof value === 'number', field: number() },
    ]),
  ),
  persistence: optional(having('load', 'commit', 'close')),
  lifecycle: optional(lifecycle),
  limits: optional(
    object({
      restBody: size,
      oauthBody: size,
      graphqlBody: size,
      controlBody: size,
      snapshotBody: size,
      url: size,
      queryPairs: size,
      headers: size,
      headersTimeoutMs: size,
      requestTimeoutMs: size,
      idleTimeoutMs: size,
      connections: size,
    }),
  ),
  controlToken: optional(text({ min: 16 })),
  controlHosts: optional(list(text({ min: 1 }))),
  remote: optional(flag),
  cors: optional(
    choice<unknown>('*, a list of origins, or false', () => [
      { when: isText, field: exactly('*') },
      { when: Array.isArray, field: list(text({ min: 1 })) },
      { when: (value) => value === false, field: flag },
    ]),
  ),
  sandboxes: optional(object({ max: optional(integer(0)), idleTtlMs: size })),
  requestLog: optional(
    choice<unknown>('false, or an object with maxEntries, maxBytes and maxBodyBytes', () => [
      { when: (value) => value === false, field: flag },
      {
        when: isPlainObject,
        field: object({
          maxEntries: optional(integer(0)),
          maxBytes: optional(integer(0)),
          maxBodyBytes: optional(integer(0)),
        }),
      },
    ]),
  ),
  jwksFetch: optional(fn),
  accessTokens: optional(mapOf(text({ min: 1 }))),
  log: optional(fn),
  droppedLogLines: optional(fn),
  strict: optional(flag),
}

/** Options beside the settings and the URLs. */
export const plainOptionNames: readonly string[] = Object.keys(optionsTable)

/** @throws TypeError naming every option that is unusable */
export function checkPlainOptions(options: object): void {
  throwIssues(object(optionsTable, { unknownKeys: 'dropped' }), options)
}

/** Its id, settings and seed are looked at where they are used. */
const sandboxOptions = object({
  id: optional(text()),
  seed: optionsTable.seed,
  clock: optionsTable.clock,
  randomSeed: optionsTable.randomSeed,
  ttlMs: size,
  lifecycle: optionsTable.lifecycle,
  settings: optional(mapOf({ schema: {}, check: () => undefined })),
})

/** @throws TypeError naming every option of a sandbox that is unknown or unusable */
export const checkSandboxOptions = (options: object): void => throwIssues(sandboxOptions, options)

function throwIssues(field: Field<unknown>, options: object): void {
  const issues = createIssueList()
  field.check(options, [], issues)
  if (issues.count > 0) {
    throw new TypeError(issues.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('; '))
  }
}
