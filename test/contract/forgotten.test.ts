import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Document, readDocument } from '../../sdk/tools/document.js'
import { CONTRACT, generate } from '../../sdk/tools/generate.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = ['sdk', 'mock-server', 'cli']

/**
 * A copy of the sources of the three packages, with the installed modules. Our own packages in
 * node_modules are the copies.
 */
const tree = mkdtempSync(join(tmpdir(), 'forgotten-'))
const modules = join(tree, 'node_modules')
mkdirSync(join(modules, '@buildwire'), { recursive: true })
for (const name of readdirSync(join(root, 'node_modules'))) {
  if (name !== '@buildwire') symlinkSync(join(root, 'node_modules', name), join(modules, name))
}
cpSync(join(root, 'tsconfig.json'), join(tree, 'tsconfig.json'))
for (const name of packages) {
  for (const part of ['package.json', 'tsconfig.json', 'src']) {
    cpSync(join(root, name, part), join(tree, name, part), { recursive: true })
  }
  const document = join(name, 'dist/openapi.json')
  if (existsSync(join(root, document))) cpSync(join(root, document), join(tree, document))
  const own = join(root, name, 'node_modules')
  if (existsSync(own)) symlinkSync(own, join(tree, name, 'node_modules'))
  symlinkSync(join(tree, name), join(modules, '@buildwire', name))
}
afterAll(() => rmSync(tree, { recursive: true }))

/**
 * The files in which `tsc -b` reports errors after the contract of the copy was replaced by this
 * one.
 */
async function complaints(document: Document): Promise<readonly string[]> {
  for (const [name, text] of await generate(document, [
    'src/contract/schemas.gen.ts',
    'src/contract/operations.gen.ts',
  ]))
    writeFileSync(join(tree, 'sdk', name), text)
  const stdout = await new Promise<string>((done) => {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFile(tsc, ['-b', '--pretty', 'false'], { cwd: tree }, (_error, output) => done(output))
  })
  const places = [...stdout.matchAll(/^([^\s(]+)\((\d+)/gm)].map(([, file = '', line]) =>
    placeOf(file, Number(line)),
  )
  return [...new Set(places)].sort()
}

/** The name of a file, with the command for a file of commands. */
function placeOf(file: string, line: number): string {
  if (!file.startsWith('cli/src/commands/')) return file
  const before = readFileSync(join(tree, file), 'utf8').split('\n').slice(0, line)
  const command = before.findLast((text) => text.startsWith('export const '))
  return `${file} ${command?.split(' ')[2]}`
}

interface Writable {
  paths: Record<string, Record<string, { operationId: string; parameters?: object[] }>>
  'x-params': Record<string, { parameters: string[] }>
  components: { schemas: Record<string, { properties: object }>; parameters: object }
}

/**
 * The contract with one more parameter in these operations, and one more property in these bodies.
 */
function withMore(operationIds: readonly string[], bodies: readonly string[]): Document {
  const document: Writable = parse(stringify(readDocument(CONTRACT)))
  Object.assign(document.components.parameters, {
    mood: {
      name: 'mood',
      in: 'query',
      description: 'Builds in this mood.',
      schema: { type: 'string' },
    },
  })
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    if (!operationIds.includes(operation.operationId)) continue
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: '#/components/parameters/mood' },
    ]
  }
  for (const name of bodies)
    Object.assign(document.components.schemas[name]?.properties ?? {}, { mood: { type: 'string' } })
  return document as unknown as Document
}

describe('a new parameter of the contract that the code does not use', () => {
  it('compiles neither in the server nor in the command line', async () => {
    const document = withMore(
      [
        'builds.list',
        'builds.get',
        'pipelines.list',
        'tests.list',
        'organizations.list',
        'organizations.get',
      ],
      [
        'CreateBuildBody',
        'CancelBuildBody',
        'RetryFailedJobsBody',
        'FindTestBody',
        'ChangeLabelsBody',
      ],
    )
    expect(await complaints(document)).toEqual([
      'cli/src/commands/builds-write.ts cancel',
      'cli/src/commands/builds-write.ts retry',
      'cli/src/commands/builds.ts get',
      'cli/src/commands/jobs.ts list',
      'cli/src/commands/organizations.ts list',
      'cli/src/commands/pipelines.ts list',
      'cli/src/commands/tests.ts find',
      'cli/src/commands/tests.ts label',
      'cli/src/commands/tests.ts list',
      'cli/src/context/lists.ts',
      'cli/src/jobs/create-body.ts',
      'mock-server/src/domain/build-query.ts',
      'mock-server/src/routes/builds.ts',
      'mock-server/src/routes/builds/create-body.ts',
      'mock-server/src/routes/organizations.ts',
      'mock-server/src/routes/pipelines.ts',
      'mock-server/src/routes/tests.ts',
    ])
  }, 600_000)
})
