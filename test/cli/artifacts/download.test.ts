import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileKey, targetFile, targetNames } from '../../../cli/src/jobs/target-path.js'
import { listening } from '../support/server.js'
import { openWorkshop, type Workshop } from '../support/workshop.js'

const content = Buffer.from('<testsuite tests="1"/>\n'.repeat(5_000))
const sha1sum = createHash('sha1').update(content).digest('hex')
const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'

let shop: Workshop
let storage: ReturnType<typeof createServer>
let storageUrl: string
/** The address that the API names. */
let storageAddress: string
let storageRequests: IncomingHttpHeaders[] = []
let dir: string
/** The answers of the storage, in order; the last one is repeated. */
let answers: ((response: ServerResponse) => void)[]

const answerWith = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status).end(content)
const whole = answerWith(200)
/** Sends a part of the content and closes the connection. */
const cut = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': content.length })
  response.write(content.subarray(0, 1000), () => response.destroy())
}
/** Ends the body after a part of the content, without an error. */
const short = (response: ServerResponse) =>
  void response.writeHead(200).end(content.subarray(0, 1000))

beforeAll(async () => {
  shop = await openWorkshop()
  storage = createServer((request, response) => {
    const answer = answers[Math.min(storageRequests.length, answers.length - 1)] ?? whole
    storageRequests.push(request.headers)
    answer(response)
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
  answers = [whole]
  storageAddress = storageUrl
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
      {
        respond: {
          status: 302,
          json: { url: storageAddress },
          headers: { Location: storageAddress },
        },
      },
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
    expect(stderr).toContain('arrived damaged')
    expect(await files()).toEqual([])
  })

  test('whose storage refuses the signed address exits with 9, without a hint about tokens', async () => {
    answers = [answerWith(403)]
    const { code, stderr } = await download([{ path: 'a.txt' }])
    expect(code).toBe(9)
    expect(stderr).toContain('the storage refused the signed address of the artifact (403)')
    expect(stderr).not.toMatch(/your access token|signature=|auth login/u)
    expect(await files()).toEqual([])
  })

  test.each([
    [401, 9, 'the storage refused the signed address of the artifact (401)'],
    [404, 5, 'the storage does not have the content of the artifact (404)'],
    [410, 3, 'the storage does not have the content of the artifact (410)'],
    [500, 3, 'the storage of the artifact failed (500)'],
  ])(
    'whose storage answers %d exits with %d, and the error is about the storage',
    async (status, exit, headline) => {
      answers = [answerWith(status)]
      const { code, stderr } = await download([{ path: 'a.txt' }])
      expect([code, stderr.split('\n')[0]]).toEqual([exit, `Error: ${headline}`])
      expect(stderr).not.toMatch(/your access token|signature=|auth login|ci server start/u)
      expect(await files()).toEqual([])
    },
  )

  test('whose storage is down exits with 3, and the error names the storage', async () => {
    const down = createServer()
    const origin = await listening(down)
    await new Promise((resolve) => down.close(resolve))
    storageAddress = `${origin}/file?signature=4f3a`
    const { code, stderr } = await download([{ path: 'a.txt' }])
    expect(code).toBe(3)
    expect(stderr).toContain(`cannot reach the storage of the artifact, ${origin}`)
    expect(stderr).not.toMatch(/ci server start|signature/u)
    expect(await files()).toEqual([])
  })

  test.each([
    ['breaks off', cut],
    ['ends early', short],
  ])('whose content %s is requested again, and is whole', async (_, broken) => {
    answers = [broken, broken, whole]
    expect(await download([{ path: 'a.txt' }])).toMatchObject({ code: 0, stdout: 'out/a.txt\n' })
    expect(await readFile(join(dir, 'out/a.txt'))).toEqual(content)
    expect(storageRequests).toHaveLength(3)
    expect(await files()).toEqual(['/out/a.txt'])
  })

  test('whose content always breaks off leaves nothing, and the error names the storage', async () => {
    answers = [cut]
    const { code, stderr } = await download([{ path: 'a.txt' }])
    expect(code).toBe(3)
    expect(stderr).toContain('lost the connection to the storage of the artifact, http://')
    expect(storageRequests).toHaveLength(3)
    expect(await files()).toEqual([])
  })

  test('behind another redirect, and kept as gzip, is written as its record says', async () => {
    const gzip = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content))
    const redirect = (response: ServerResponse) =>
      void response.writeHead(307, { location: '/elsewhere?signature=4f3a' }).end()
    answers = [redirect, gzip]
    expect((await download([{ path: 'a.txt' }])).code).toBe(0)
    expect(await readFile(join(dir, 'out/a.txt'))).toEqual(content)
    expect(storageRequests).toHaveLength(2)
  })

  test('whose record describes its packed bytes is written packed', async () => {
    const packed = gzipSync(content)
    const headers = { 'content-encoding': 'gzip', 'content-length': packed.length }
    answers = [(response) => void response.writeHead(200, headers).end(packed)]
    const sha1sum = createHash('sha1').update(packed).digest('hex')
    const record = { path: 'a.txt.gz', file_size: packed.length, sha1sum }
    expect((await download([record])).code).toBe(0)
    expect(await readFile(join(dir, 'out/a.txt.gz'))).toEqual(packed)
  })

  test('that exists and is equal is kept with --skip-existing; another file is not replaced', async () => {
    await download([{ path: 'a.txt' }])
    storageRequests = []
    const two = [{ path: 'a.txt' }, { path: 'b.txt' }]
    const second = await download(two, '--skip-existing', '--json')
    expect(JSON.parse(second.stdout)).toMatchObject([
      { path: 'a.txt', file_size: content.length, skipped: true },
      { path: 'b.txt', file_size: content.length, skipped: false },
    ])
    expect([second.code, storageRequests.length]).toEqual([0, 1])
    await writeFile(join(dir, 'out/a.txt'), Buffer.alloc(content.length))
    expect((await download([{ path: 'a.txt' }], '--skip-existing')).code).toBe(2)
    expect(await readFile(join(dir, 'out/a.txt'))).toEqual(Buffer.alloc(content.length))
    expect((await download(two, '--skip-existing', '--force')).stdout).toBe('out/a.txt\n')
    expect(await readFile(join(dir, 'out/a.txt'))).toEqual(content)
    const unproven = [{ path: 'a.txt', sha1sum: null }]
    expect((await download(unproven, '--skip-existing')).code).toBe(2)
  })

  test('of two jobs with one path is refused, and the error offers --by-job', async () => {
    const other = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e91'
    const two = [{ path: 'junit.xml' }, { path: 'junit.xml', job_id: other }]
    const refused = await download(two)
    expect([refused.code, storageRequests]).toEqual([2, []])
    expect(refused.stderr).toMatch(/Try: ci artifacts download \S+ --by-job\n/u)
    const { code, stdout } = await download(two, '--by-job')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `out/${job_id}/junit.xml\nout/${other}/junit.xml\n`,
    })
    const unfinished = [{ path: 'a' }, { path: 'a', job_id: other, state: 'error' }]
    expect((await download(unfinished)).code).toBe(1)
    expect((await download([{ path: 'b' }, { path: 'b' }], '--by-job')).code).toBe(2)
  })

  test('that fails does not stop the others; --path selects', async () => {
    const { code, stdout } = await download([
      { path: '../x' },
      { path: 'a.txt' },
      { path: 'b/c.xml' },
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'out/a.txt\nout/b/c.xml\n' })
    expect(
      (await download([{ path: 'd/1.xml' }, { path: 'd/2.txt' }], '--path', 'd/*.xml')).stdout,
    ).toBe('out/d/1.xml\n')
    expect((await download([{ path: 'a' }], '--path', 'b')).code).toBe(5)
    expect((await download([{ path: 'e' }, { path: 'e' }])).code).toBe(2)
  })
})

describe('a path never leads out of the folder', () => {
  const windows = ['\\\\host\\x', 'a\\..\\..\\x', 'C:\\..\\x']

  test.each([
    '../../x',
    '/etc/x',
    'a/../../x',
    '..',
    '.',
    '',
    'a//b',
    'x\0',
    '\nx',
    'x\u009b31m',
    ...windows,
  ])('%j', async (path) => {
    const { code, stdout } = await download([{ path }], '--force')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect([await files(), storageRequests]).toEqual([[], []])
  })

  test('a symbolic link in the path or at its end is not followed', async () => {
    await mkdir(join(dir, 'out'))
    await mkdir(join(dir, 'elsewhere'))
    await writeFile(join(dir, 'precious'), 'mine')
    await symlink(join(dir, 'elsewhere'), join(dir, 'out/reports'))
    await symlink(join(dir, 'precious'), join(dir, 'out/a.txt'))
    expect((await download([{ path: 'reports/junit.xml' }], '--force')).code).toBe(7)
    expect((await download([{ path: 'a.txt' }])).code).toBe(2)
    expect((await download([{ path: 'a.txt' }], '--force')).code).toBe(0)
    expect(await readdir(join(dir, 'elsewhere'))).toEqual([])
    expect(await readFile(join(dir, 'precious'), 'utf8')).toBe('mine')
    expect((await lstat(join(dir, 'out/a.txt'))).isFile()).toBe(true)
  })

  test('is measured before a folder is made, and the error shows only a part of it', async () => {
    const long = Array.from({ length: 30 }, () => 'a'.repeat(200)).join('/')
    const { code, stderr } = await download([{ path: long }])
    expect([code, await readdir(dir), storageRequests]).toEqual([7, [], []])
    expect(stderr).toContain('its path is too long for this system')
    expect(stderr.length).toBeLessThan(400)
    expect((await download([{ path: 'b'.repeat(255) }])).code).toBe(0)
  })

  test('is equal to another path that the system takes for the same file', () => {
    const key = (path: string, platform: string) =>
      fileKey(targetFile({ path: '/out', platform }, path), platform)
    expect(key('A/é', 'darwin')).toBe(key('a/e\u0301', 'darwin'))
    expect(key('A', 'linux')).not.toBe(key('a', 'linux'))
    expect(key('a\\b', 'linux')).toBe(key('a/b', 'linux'))
  })

  test.each(['con', 'a/NUL', 'aux.txt', 'COM1', 'lpt9.log', 'a:b', 'a.', 'b '])(
    '%j is refused on Windows',
    (path) => {
      expect(() => targetNames(path, 'win32')).toThrow('was not written')
      expect(targetNames(path, 'linux').join('/')).toBe(path)
    },
  )
})
