import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runChild } from './support/child.js'
import { serverOfFile } from './support/server-of-file.js'

const RECORDER = new URL('./support/record-imports.mjs', import.meta.url).href
const HEAVY =
  /node_modules\/(?:ink|react|yoga-layout|jq-web|@napi-rs|undici|jose|hono|lowdb|supports-hyperlinks)\/|\/chunks\/serve-/u

const started = serverOfFile()

async function loaded(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = started.env,
) {
  const log = join(await mkdtemp(join(tmpdir(), 'ci-loaded-')), 'files')
  const { code } = await runChild(argv, {
    env: { ...env, RECORD_IMPORTS: log },
    node: ['--import', RECORDER],
  })
  const files = (await readFile(log, 'utf8')).split('\n').filter((url) => url.startsWith('file:'))
  return { code, files, ours: files.filter((file) => file.includes('/cli/')) }
}

describe('a run loads what it needs and nothing else', () => {
  it.each([
    [['builds', 'list', '-p', 'acme/web']],
    [['builds', 'get', 'acme/web#@latest']],
    [['builds', 'create', '-p', 'acme/web', '-b', 'main', '-c', 'HEAD']],
    [['builds', 'cancel', 'acme/web#@latest']],
    [['tests', 'list', '--org', 'acme', '--suite', 'web']],
    [['api', 'organizations/acme/pipelines']],
  ])('%j', async (argv) => {
    const { files, ours } = await loaded(argv)
    expect(ours.length).toBeGreaterThan(2)
    expect(ours.length).toBeLessThanOrEqual(12)
    expect(files.filter((file) => HEAVY.test(file))).toEqual([])
  })

  it('a retry also loads the comparison with earlier builds, for its last line', async () => {
    const { files, ours } = await loaded(['builds', 'retry', 'acme/web#@latest'])
    expect(ours.length).toBeLessThanOrEqual(16)
    expect(files.filter((file) => HEAVY.test(file))).toEqual([])
  })

  it('and the library of assistants for `ci mcp` alone', async () => {
    const { code, files } = await loaded(['mcp'])
    expect({ code, heavy: files.filter((file) => HEAVY.test(file)).length }).toEqual({
      code: 0,
      heavy: 1,
    })
  })

  it('answers --version, -v and version without any of it', async () => {
    for (const argv of [['--version'], ['-v'], ['version']]) {
      const { code, ours } = await loaded(argv, {})
      expect({ code, count: ours.length }).toEqual({ code: 0, count: 1 })
    }
  })

  it('answers help without the flag parser and without a command', async () => {
    for (const argv of [['--help'], ['builds', '--help'], ['builds', 'list', '--help']]) {
      const { code, ours } = await loaded(argv, {})
      expect(code).toBe(0)
      const texts = await Promise.all(ours.map((file) => readFile(new URL(file), 'utf8')))
      expect(texts.filter((text) => text.includes('CiClient'))).toEqual([])
    }
  })

  it('completes a word from the manifest alone', async () => {
    const { code, ours } = await loaded(['__complete', 'bash', '', 'ci builds '], {})
    expect({ code, many: ours.length > 3 }).toEqual({ code: 0, many: false })
  })
})

describe('the manifest', () => {
  it('is that of this version and of these commands', async () => {
    const root = new URL('../../cli/', import.meta.url)
    const json = async (name: string) => JSON.parse(await readFile(new URL(name, root), 'utf8'))
    const manifest = await json('oclif.manifest.json')
    expect(manifest.version).toBe((await json('package.json')).version)
    const { buildManifest } = await import('../../cli/src/run/build-manifest.js')
    expect(JSON.parse(JSON.stringify(await buildManifest(manifest.version)))).toEqual(manifest)
  })
})
