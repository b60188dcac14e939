import { describe, expect, it } from 'vitest'
import { SeedError } from '../../../mock-server/src/seed/seed-error.js'
import { seeded } from '../../support/scratch-store.js'

/** The lines of the error that a YAML text is refused with. */
const refusal = async (yaml: string): Promise<readonly string[]> => {
  const error: unknown = await seeded({ yaml }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SeedError)
  return error instanceof SeedError ? error.message.split('\n') : []
}

describe('a seed that cannot be loaded', () => {
  it('names file, line, column and path of every fault: of values first, then of names', async () => {
    const yaml = `users:
  - { email: robin@acme.example, nmae: Robin }
organizations:
  - slug: acme
    members:
      - { user: nobody@acme.example }
    pipelines:
      - slug: web
        steps:
          - { command: make, key: a }
          - { command: make, key: a, queue: gone }
      - slug: "not a slug"
      - slug: web
accessTokens:
  - { name: admin, user: robin@acme.example, scopes: [read_builds, read_bulids] }
settings: { polGraceMs: 0 }
`
    expect(await refusal(yaml)).toEqual([
      'acme.yaml:12:15 organizations[0].pipelines[1].slug: must be a slug: letters, digits, . _ -',
      'acme.yaml:16:25 settings.polGraceMs: is not known here',
    ])
    expect(
      await refusal(yaml.replace('not a slug', 'api').replace('polGraceMs', 'pollGraceMs')),
    ).toEqual([
      'acme.yaml:6:17 organizations[0].members[0].user: there is no user "nobody@acme.example"',
      'acme.yaml:11:35 organizations[0].pipelines[0].steps[1].key: "a" names another step already',
      'acme.yaml:11:45 organizations[0].pipelines[0].steps[1].queue: there is no queue "gone"',
      'acme.yaml:13:15 organizations[0].pipelines[2].slug: "web" is already given earlier in this document',
      'acme.yaml:15:68 accessTokens[0].scopes[1]: "read_bulids" is not a known scope (extraScopes adds names)',
    ])
  })

  it('asks for quotes where YAML reads a number or boolean', async () => {
    const build = (commit: string) =>
      `organizations: [{ slug: acme, pipelines: [{ slug: web, builds: [{ commit: ${commit} }] }] }]`
    expect(await refusal(build('5e1000'))).toEqual([
      'acme.yaml:1:75 organizations[0].pipelines[0].builds[0].commit: must be text, not the number Infinity: put it in quotes',
    ])
    expect((await refusal(build('1234567')))[0]).toContain(
      'must be text, not the number 1234567: put it in quotes',
    )
    expect((await refusal(build('true')))[0]).toContain(
      'must be text, not the boolean true: put it in quotes',
    )
    await expect(seeded({ yaml: build('"5e1000"') })).resolves.toBeDefined()
  })

  it.each(['creating', 'blocked'])('refuses %s, a state that no body ever has', async (state) => {
    const yaml = `organizations: [{ slug: acme, pipelines: [{ slug: web, builds: [{ state: ${state} }] }] }]`
    expect((await refusal(yaml))[0]).toContain(
      `builds[0].state: must be one of scheduled, running, passed`,
    )
  })

  it.each([
    ['duplicate keys', 'users: []\nusers: []', 'acme.yaml:2:1 Map keys must be unique'],
    ['unknown tags', 'users: !people []', 'acme.yaml:1:8 Unresolved tag: !people'],
    [
      'binary tags',
      'users: !!binary aGk=',
      'acme.yaml:1:8 Unresolved tag: tag:yaml.org,2002:binary',
    ],
    [
      'merge keys',
      'a: &a { x: 1 }\nb:\n  <<: *a',
      'acme.yaml:3:3 merge keys are not read: write the keys out',
    ],
    [
      'an alias that contains itself',
      'users: &a [*a]',
      'acme.yaml:1:12 the alias a contains itself',
    ],
    ['aliases without anchor', 'users: *nobody', 'acme.yaml:1:8 there is no anchor nobody'],
    [
      'keys that are no text',
      'users: [{ 1: x }]',
      'acme.yaml:1:11 the key 1 must be text: put it in quotes',
    ],
    [
      'several documents',
      'users: []\n---\nusers: []',
      'acme.yaml:2:1 a seed is one document, not several',
    ],
    ['YAML 1.1', '%YAML 1.1\n---\nusers: []', 'acme.yaml:1:1 a seed is YAML 1.2'],
    ['a newer version', 'version: 2', 'acme.yaml:1:10 version: must be 1'],
    ['an empty file', '', 'acme.yaml must be an object, not null'],
    [
      'a reserved slug',
      'organizations: [{ slug: oauth }]',
      'acme.yaml:1:25 organizations[0].slug: must be a slug (letters, digits, . _ -) that is not part of the server’s own paths',
    ],
    ['a missing key', 'users: [{ name: Robin }]', 'acme.yaml:1:9 users[0].email: is required'],
    [
      'builds that are no list',
      'organizations: [{ slug: acme, pipelines: [{ slug: web, builds: 5 }] }]',
      'acme.yaml:1:64 organizations[0].pipelines[0].builds: must be a list, not the number 5',
    ],
  ])('refuses %s', async (_, yaml, message) => {
    expect(await refusal(yaml)).toEqual([message])
  })

  it('refuses more than 100 alias expansions, nested ones too', async () => {
    const many = `a: &a x\nusers: [${Array.from({ length: 101 }, () => '*a').join(', ')}]`
    expect((await refusal(many))[0]).toBe('acme.yaml:2:409 more than 100 aliases')
    const nested = `users:\n  - &a [1,1,1,1,1,1,1,1,1,1]\n  - &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  - &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  - [*c,*c,*c,*c,*c]`
    expect((await refusal(nested))[0]).toContain('alias')
  })

  it('lists at most 50 faults and counts the rest', async () => {
    const users = Array.from({ length: 70 }, (_, n) => `{ email: ${n} }`).join(', ')
    const lines = await refusal(`users: [${users}]`)
    expect(lines).toHaveLength(51)
    expect(lines[50]).toBe('and 20 more')
  })

  it('refuses a build at odds with its jobs unless forced', async () => {
    const build = (more: string) =>
      `organizations: [{ slug: acme, pipelines: [{ slug: web, builds: [{ state: passed, ${more} jobs: [{ step_key: test, state: running }] }] }] }]`
    expect(await refusal(build(''))).toEqual([
      'acme.yaml:1:74 organizations[0].pipelines[0].builds[0].state: the build is passed, but job test is running (force: true accepts it)',
    ])
    await expect(seeded({ yaml: build('force: true,') })).resolves.toBeDefined()
  })

  it('refuses a played build that no pipeline could make, by its place', async () => {
    const yaml = `
organizations:
  - slug: acme
    pipelines:
      - slug: web
        steps: [{ command: make, key: make }]
        generate: { builds: 2, creators: [nobody@acme.example], ways: [{ builds: 3, play: { steps: [{ key: ship }] } }] }
        builds:
          - { play: { steps: [{ key: test }], acts: [{ afterMs: 1, do: rebuild }] } }
          - { number: 7, play: { acts: [{ afterMs: 1, do: explode }] } }
`
    const within = async (text: string) =>
      (await refusal(text)).map((line) => line.replace('organizations[0].pipelines[0].', ''))
    expect(await within(yaml)).toEqual([
      'acme.yaml:10:23 builds[1].number: is not known here',
      'acme.yaml:10:59 builds[1].play.acts[0].do: must be one of cancel, unblock, retry, rebuild, push, not "explode"',
    ])
    expect(await within(yaml.replace('number: 7, ', '').replace('explode', 'retry'))).toEqual([
      'acme.yaml:7:43 generate.creators[0]: there is no user "nobody@acme.example"',
      'acme.yaml:7:71 generate.ways: are of 3 builds, more than 2',
      'acme.yaml:7:108 generate.ways[0].play.steps[0].key: there is no step "ship"',
      'acme.yaml:9:38 builds[0].play.steps[0].key: there is no step "test"',
      'acme.yaml:9:54 builds[0].play.acts[0].user: is required: the build has no creator',
    ])
  })

  it('treats names such as __proto__ as data', async () => {
    expect(await refusal('"__proto__": {}\nconstructor: {}')).toEqual([
      'acme.yaml:1:14 __proto__: is not known here',
      'acme.yaml:2:14 constructor: is not known here',
    ])
  })

  it('reads JSON with tabs, and refuses a broken file by its place', async () => {
    await expect(
      seeded({ yaml: '{\n\t"users": [\n\t\t{ "email": "robin@acme.example" }\n\t]\n}' }),
    ).resolves.toBeDefined()
    expect((await refusal('{\n  "users": [\n'))[0]).toMatch(/^acme\.yaml:3:1 /)
  })
})
