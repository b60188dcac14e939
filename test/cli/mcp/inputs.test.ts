import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Assistant, assistant } from '../support/assistant.js'
import { serverOfFile } from '../support/server-of-file.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }
const ID = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'

const started = serverOfFile()
let session: Assistant

beforeAll(async () => {
  session = await assistant(started.env, ['--allow-writes'])
})
afterAll(() => session?.client.close())
beforeEach(() => started.server.control.rules.delete())

type Schema = Readonly<Record<string, unknown>>

/** The schema and all schemas in it, with their paths. */
function schemasIn(schema: Schema, path: string): [string, Schema][] {
  const { properties = {}, items, additionalProperties } = schema
  const inner: [string, unknown][] = [
    ...Object.entries(properties as object),
    ['items', items],
    ['additionalProperties', additionalProperties],
  ]
  const objects = inner.filter((each): each is [string, Schema] => typeof each[1] === 'object')
  return [[path, schema], ...objects.flatMap(([name, each]) => schemasIn(each, `${path}.${name}`))]
}

it('inputs of tools have schemas in the subset that every host takes, and a description', async () => {
  const { tools } = await session.client.listTools()
  const keywords = new Set(
    'type properties required additionalProperties description items enum default minimum maximum minLength maxLength minItems maxItems format'.split(
      ' ',
    ),
  )
  for (const { name, inputSchema } of tools) {
    for (const [path, schema] of schemasIn(inputSchema as Schema, name)) {
      expect([path, typeof schema['type']]).toEqual([path, 'string'])
      expect([path, Object.keys(schema).filter((key) => !keywords.has(key))]).toEqual([path, []])
      expect([path, schema['format'] ?? 'date-time']).toEqual([path, 'date-time'])
      if (Array.isArray(schema['enum']))
        expect([path, schema['enum'].every((each) => typeof each === 'string')]).toEqual([
          path,
          true,
        ])
    }
    for (const [input, schema] of Object.entries(inputSchema.properties ?? {})) {
      const { description = '' } = schema as { readonly description?: string }
      expect([`${name}.${input}`, description.length > 15]).toEqual([`${name}.${input}`, true])
    }
  }
})

it.each([
  [
    'get_build',
    { ...web, number: ID },
    /^get_build: number must be a whole number from 1$/u,
    /not its id/u,
  ],
  ['get_build', web, /^get_build: number is missing$/u, /list_builds/u],
  ['get_build', { ...web, number: 0 }, /number must be a whole number from 1$/u, /list_builds/u],
  ['get_job', { ...web, number: 1, job_id: 'test' }, /job_id must be a UUID$/u, /get_build/u],
  [
    'list_builds',
    { state: ['red'] },
    /state must be a list; each item is one of creating, /u,
    /finished/u,
  ],
  [
    'list_builds',
    { state: 'failed' },
    /state must be a list; each item is one of creating, /u,
    /finished/u,
  ],
  [
    'list_builds',
    { creator: 'robin' },
    /creator must be a text of the form/u,
    /me, or the id of a user/u,
  ],
  [
    'list_builds',
    { created_from: 'yesterday' },
    /created_from must be a time such as 2026-/u,
    /later/u,
  ],
  ['list_builds', { org_slug: 'acme/web' }, /org_slug must be a text/u, /list_organizations/u],
  ['get_build', { ...web, build: 1 }, /^get_build takes no build$/u, /It takes org_slug, /u],
  [
    'read_job_log',
    { ...web, number: 1, job_id: ID, search: 'x' },
    /search must be a list/u,
    /texts/u,
  ],
])('a wrong input of %s is told in words: %j', async (tool, input, message, detail) => {
  const { isError, record } = await session.call(tool, input)
  expect([isError, record.error.code]).toEqual([true, 'usage'])
  expect(record.error.message).toMatch(message)
  expect(record.error.details.join(' ')).toMatch(detail)
})

it('values of several types are taken where the contract takes them', async () => {
  const meta_data = { release: ['1', '2'] }
  expect((await session.call('list_builds', { ...web, meta_data })).isError).toBe(false)
  const create = { ...web, commit: 'HEAD', branch: 'main', env: { RETRIES: 3, FAST: true } }
  expect((await session.call('create_build', create)).record.state).toBe('scheduled')
})

it('the advice of an error names tools, and commands only for the user', async () => {
  const errorOf = async (tool: string, input: Record<string, unknown>) =>
    (await session.call(tool, input)).record.error
  const noBuild = await errorOf('get_build', { ...web, number: 99_999 })
  expect([noBuild.code, noBuild.hint]).toEqual(['not_found', 'list_builds'])
  const noPipeline = await errorOf('list_builds', { ...web, pipeline_slug: 'nope' })
  expect([noPipeline.code, noPipeline.hint]).toEqual(['not_found', 'list_pipelines'])
  const noOrganization = await errorOf('list_pipelines', { org_slug: 'nope' })
  expect(noOrganization.hint).toBe('list_organizations')
  const respond = (operation: string, status: number, message: string) =>
    started.server.control.rules.create({
      match: { operation },
      actions: [{ respond: { status, json: { message } } }],
    })
  await respond('user.get', 404, 'Not Found')
  expect((await errorOf('list_builds', { ...web, creator: 'me' })).hint).toContain('id of the user')
  await respond('builds.get', 401, 'Unauthorized')
  expect((await errorOf('get_build', { ...web, number: 1 })).hint).toContain('BUILDWIRE_TOKEN')
  await started.server.control.rules.create({
    match: { operation: 'organizations.list' },
    actions: [{ respond: { status: 200, json: ['a', 'b'].map((slug) => ({ id: slug, slug })) } }],
  })
  await using alone = await assistant({ ...started.env, BUILDWIRE_ORG: '' })
  const unnamed = await alone.call('list_pipelines')
  expect(unnamed.record.error).toMatchObject({
    message: 'no organization is named',
    details: ['Name it with org_slug'],
    hint: 'list_organizations',
  })
})

it('list_organizations and list_pipelines name what can be reached, and no more than the pin', async () => {
  const slugs = (records: { slug: string }[]) => records.map(({ slug }) => slug)
  const { record } = await session.call('list_organizations')
  expect(slugs(record.organizations)).toContain('acme')
  const all = (await session.call('list_pipelines', { org_slug: 'acme' })).record
  expect(all.org_slug).toBe('acme')
  expect(slugs(all.pipelines)).toEqual(expect.arrayContaining(['web', 'docs']))
  const named = await session.call('list_pipelines', { org_slug: 'acme', name: 'DOC' })
  expect(slugs(named.record.pipelines)).toEqual(['docs'])
  await using pinned = await assistant(started.env, ['-p', 'acme/docs'])
  expect((await pinned.call('list_organizations')).record).toEqual({
    organizations: [{ slug: 'acme' }],
  })
  expect(slugs((await pinned.call('list_pipelines')).record.pipelines)).toEqual(['docs'])
  await using ofOrganization = await assistant(started.env, ['--org', 'acme'])
  expect(slugs((await ofOrganization.call('list_pipelines')).record.pipelines)).toEqual(
    slugs(all.pipelines),
  )
})

it('list_builds lists the builds of the user, whose id current_user says', async () => {
  const { user_id } = (await session.call('current_user')).record
  const buildsOf = async (filter: object) =>
    (await session.call('list_builds', { ...web, ...filter })).record.builds
  const creators = (builds: { creator: string }[]) => new Set(builds.map(({ creator }) => creator))
  const mine = await buildsOf({ creator: 'me' })
  expect(mine).toEqual(await buildsOf({ creator: user_id }))
  expect(creators(mine).size).toBe(1)
  expect(creators(await buildsOf({})).size).toBeGreaterThan(1)
})

it('get_job reports a job with all that its build leaves out', async () => {
  const { builds } = (await session.call('list_builds', { ...web, state: ['failed'] })).record
  const { number } = builds[0]
  const { jobs } = (await session.call('get_build', { ...web, number })).record
  const { record } = await session.call('get_job', { ...web, number, job_id: jobs[0].id })
  expect(record).toMatchObject({ ...jobs[0], created_at: expect.any(String) })
})

it('get_artifact reads a text by its lines, or the lines with a text', async () => {
  const { builds } = (await session.call('list_builds', { ...web, state: ['failed'] })).record
  const at = { ...web, number: builds[0].number }
  const { artifacts } = (await session.call('list_artifacts', at)).record
  for (const { id, job_id, path, file_size } of artifacts) {
    const { record } = await session.call('get_artifact', { ...at, job_id, artifact_id: id })
    if (record.error !== undefined) {
      expect(record.error.message).toMatch(/is not text|it has no content/u)
      continue
    }
    expect(record).toMatchObject({ id, path, file_size })
    expect(record.lines.length).toBeGreaterThan(0)
    const search = [record.lines.at(-1)]
    const found = await session.call('get_artifact', { ...at, job_id, artifact_id: id, search })
    expect(found.record.matches.at(-1).text).toBe(record.lines.at(-1))
  }
  const missing = { ...at, job_id: artifacts[0].job_id, artifact_id: ID }
  const { error } = (await session.call('get_artifact', missing)).record
  expect([error.code, error.hint]).toEqual(['not_found', 'list_artifacts with job_id'])
  expect(artifacts.length).toBeGreaterThan(0)
})
