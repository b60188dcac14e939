import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { targetNames } from '../../../cli/src/jobs/write-file.js'
import { listening } from '../support/server.js'
import { openWorkshop, type Workshop } from '../support/workshop.js'

const content = Buffer.from('<testsuite tests="1"/>\n'.repeat(5_000))
const sha1sum = createHash('sha1').update(content).digest('hex')
const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'

let shop: Workshop
let storage: ReturnType<typeof createServer>
let storageUrl: string
let storageRequests: IncomingHttpHeaders[] = []
let dir: string
/** The status of the storage's answers. */
let status = 200

beforeAll(async () => {
  shop = await openWorkshop()
  storage = createServer((request, response) => {
    storageRequests.push(request.headers)
    response.writeHead(status).end(content)
  })
  storageUrl = `${await listening(storage)}/file?signature=4f3a`
  await shop.control.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    commit: 'HEAD',
    branch: 'main',
  })
})
afterAll(async () => {
  storage.close()
  await shop[Symbol.asyncDispose]()
})
beforeEach(async () => {
  storageRequests = []
  status = 200
  await shop.control.rules.delete()
  dir = await mkdtemp(join(tmpdir(), 'ci-artifacts-'))
  return () => rm(dir, { recursive: true, force: true })
})

/** Downloads these artifacts from the server into `out` below the test's directory. */
async function download(artifacts: readonly object[], ...flags: string[]) {
  const json = artifacts.map((artifact, at) => ({
    id: `0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e${String(at).padStart(2, '0')}`,
    job_id,
    state: 'finished',
    file_size: content.length,
    sha1sum,
    ...artifact,
  }))
  await shop.control.rules.delete()
  await shop.control.rules.create({
    match: { operation: 'artifacts.list' },
    actions: [{ respond: { status: 200, json } }],
  })
  await shop.control.rules.create({
    match: { operation: 'artifacts.download' },
    actions: [
      { respond: { status: 302, json: { url: storageUrl }, headers: { Location: storageUrl } } },
    ],
  })
  return shop.run(['artifacts', 'download', '1', '-p', 'acme/web', '--dir', 'out', ...flags], {
    cwd: dir,
  })
}

const files = async () => {
  const all = await readdir(dir, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length))
}

describe('a file', () => {
  test('is written below the folder, and its storage gets no token', async () => {
    const { code, stdout, stderr } = await download([{ path: 'reports/junit.xml' }])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'out/reports/junit.xml\n',
      stderr: '',
    })
    expect(await readFile(join(dir, 'out/reports/junit.xml'))).toEqual(content)
    expect(storageRequests).toHaveLength(1)
    expect(JSON.stringify(storageRequests)).not.toContain(shop.token)
    expect(storageRequests[0]).not.toHaveProperty('authorization')
  })

  test('that exists is only replaced with --force', async () => {
    await mkdir(join(dir, 'out'))
    await writeFile(join(dir, 'out/a.txt'), 'mine')
    const refused = await download([{ path: 'a.txt' }])
    expect([refused.code, await readFile(join(dir, 'out/a.txt'), 'utf8'), storageRequests]).toEqual(
      [2, 'mine', []],
    )
    expect((await download([{ path: 'a.txt' }], '--force', '--json')).code).toBe(0)
    expect(await readFile(join(dir, 'out/a.txt'))).toEqual(content)
  })

  test.each([
    ['checksum', { sha1sum: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
    ['size below', { file_size: 10 }],
    ['size above', { file_size: 1_000_000 }],
  ])('with a wrong %s leaves nothing', async (_, wrong) => {
    const { code, stdout, stderr } = await download([{ path: 'a.txt', ...wrong }])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('came damaged')
    expect(await files()).toEqual([])
  })

  test('whose storage refuses the signed address exits with 9, without a hint about tokens', async () => {
    status = 403
    const { code, stderr } = await download([{ path: 'a.txt' }])
    expect(code).toBe(9)
    expect(stderr).toContain('the storage refused the signed address of the artifact (403)')
    expect(stderr).not.toMatch(/your access token|signature=|auth login/u)
    expect(await files()).toEqual([])
  })

  test('that fails does not stop the others; --path selects', async () => {
    const { code, stdout } = await download([
      { path: '../x' },
      { path: 'a.txt' },
      { path: 'b/c.xml' },
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'out/a.txt\nout/b/c.xml\n' })
    expect(
      (await download([{ path: 'd/1.xml' }, { path: 'd/2.txt' }], '--path', 'd/*.xml')).stdout,
    ).toBe('out/d/1.xml\n')
    expect((await download([{ path: 'a' }], '--path', 'b')).code).toBe(5)
    expect((await download([{ path: 'e' }, { path: 'e' }])).code).toBe(2)
  })
})

describe('a path never leads out of the folder', () => {
  const windows = ['\\\\host\\x', 'a\\..\\..\\x', 'C:\\..\\x']

  test.each(['../../x', '/etc/x', 'a/../../x', '..', '.', '', 'a//b', 'x\0', '\nx', ...windows])(
    '%j',
    async (path) => {
      const { code, stdout } = await download([{ path }], '--force')
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect([await files(), storageRequests]).toEqual([[], []])
    },
  )

  test('a symbolic link in the path or at its end is not followed', async () => {
    await mkdir(join(dir, 'out'))
    await mkdir(join(dir, 'elsewhere'))
    await writeFile(join(dir, 'precious'), 'mine')
    await symlink(join(dir, 'elsewhere'), join(dir, 'out/reports'))
    await symlink(join(dir, 'precious'), join(dir, 'out/a.txt'))
    expect((await download([{ path: 'reports/junit.xml' }], '--force')).code).toBe(3)
    expect((await download([{ path: 'a.txt' }])).code).toBe(2)
    expect((await download([{ path: 'a.txt' }], '--force')).code).toBe(0)
    expect(await readdir(join(dir, 'elsewhere'))).toEqual([])
    expect(await readFile(join(dir, 'precious'), 'utf8')).toBe('mine')
    expect((await lstat(join(dir, 'out/a.txt'))).isFile()).toBe(true)
  })

  test.each(['con', 'a/NUL', 'aux.txt', 'COM1', 'lpt9.log', 'a:b', 'a.', 'b '])(
    '%j is refused on Windows',
    (path) => {
      expect(() => targetNames(path, 'win32')).toThrow('was not written')
      expect(targetNames(path, 'linux').join('/')).toBe(path)
    },
  )
})
