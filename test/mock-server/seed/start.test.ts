import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer, type LogLine, SeedError } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('starting from a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seed-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const fileOf = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }

  it('a bad seed fails the start with file and line, and no port opens', async () => {
    const file = await fileOf(
      'bad.yaml',
      'users:\n  - { email: robin@acme.example }\norganizations:\n  - { slug: acme, members: [{ user: gone@acme.example }] }\n',
    )
    const server = createMockServer({ seed: { file } })
    const error: unknown = await server.ready().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SeedError)
    expect((error as SeedError).message).toBe(
      `${file}:4:37 organizations[0].members[0].user: there is no user "gone@acme.example"`,
    )
    await server.close()
    const broken = createMockServer({ seed: { file: await fileOf('broken.yaml', 'users: [') } })
    await expect(broken.listen()).rejects.toBeInstanceOf(SeedError)
    await broken.close()
    const missing = createMockServer({ seed: { file: join(folder, 'nowhere.yaml') } })
    await expect(missing.ready()).rejects.toThrow(/nowhere\.yaml cannot be read: ENOENT/)
    await missing.close()
  })

  it('reads YAML and JSON, and says what it dropped', async () => {
    const lines: LogLine[] = []
    const file = await fileOf(
      'good.json',
      '{ "users": [{ "email": "robin@acme.example", "avatar_url": "x" }] }',
    )
    await using server = createMockServer({ seed: { file }, log: (line) => lines.push(line) })
    expect(await server.ready()).toMatchObject({ seed: 'good.json', seeded: true })
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'notice',
        notice: 'good.json users[0].avatar_url: is not kept by this server and was dropped',
      },
    ])
  })

  it('lets the caller’s token win over the seed’s', async () => {
    const seed = {
      users: [{ email: 'a@acme.example' }],
      accessTokens: [
        { name: 'admin', user: 'a@acme.example', scopes: ['read_user'], value: 'the-seed-says-so' },
      ],
    }
    await using server = createMockServer({ seed, accessTokens: { admin: 'the-caller-says-so' } })
    expect((await server.ready()).accessTokens).toEqual({ admin: 'the-caller-says-so' })
  })
})
