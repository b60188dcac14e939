import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readDocument } from '../../sdk/tools/document.js'
import { CONTRACT, generate, main } from '../../sdk/tools/generate.js'

describe('the generated files', () => {
  it('are up to date with the document', async () => {
    for (const [name, text] of await generate(readDocument(CONTRACT))) {
      const present = await readFile(new URL(`../../sdk/${name}`, import.meta.url), 'utf8')
      expect(present === text, `${name} differs: npm run generate`).toBe(true)
    }
  })

  it('are the same each time', async () => {
    expect(await generate(readDocument(CONTRACT))).toEqual(await generate(readDocument(CONTRACT)))
  })
})

describe('generate', () => {
  let folder: string
  let output: URL

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'buildwire-generate-'))
    output = pathToFileURL(`${folder}/`)
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })

  it('--check fails for a missing and for a changed file, and writes nothing', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await main(['--check'], output)).toBe(1)
    expect(complaints).toHaveBeenCalledTimes(3)
    expect(await main([], output)).toBe(0)
    expect(await main(['--check'], output)).toBe(0)

    complaints.mockClear()
    await writeFile(join(folder, 'src/contract/schemas.gen.ts'), 'export interface Build {}\n')
    expect(await main(['--check'], output)).toBe(1)
    expect(complaints.mock.calls.flat().join()).toContain('src/contract/schemas.gen.ts')
    expect(await readFile(join(folder, 'src/contract/schemas.gen.ts'), 'utf8')).toBe(
      'export interface Build {}\n',
    )
  })

  it('refuses an unknown argument', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await main(['--chekc'], output)).toBe(2)
  })
})
