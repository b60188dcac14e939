import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as sdk from '@buildwire/sdk'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'sdk/src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.gen)\.ts$/.test(name),
)
const texts = new Map(files.map((name) => [name, readFileSync(join(source, name), 'utf8')]))

const exported = [...(texts.get('index.ts') ?? '').matchAll(/\b(?:type )?(\w+)(?=,|\s*\})/g)].map(
  (match) => match[1] ?? '',
)

/** Names that examples may use as if they stood in the reader's program. */
const surroundings: Readonly<Record<string, string>> = {
  ci: "declare const ci: import('@buildwire/sdk').CiClient",
  exchange: "declare const exchange: import('@buildwire/sdk').TokenExchange",
  build: "declare const build: import('@buildwire/sdk').Build",
  inner: "declare const inner: import('@buildwire/sdk').Transport",
  path: "declare const path: import('@buildwire/sdk').JobPath",
  token: 'declare const token: string',
}

function examples(): { name: string; code: string }[] {
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^( *) \* @example\n((?:^ *\*(?!\/)(?! @).*\n)+)/gm)].map((match, index) => ({
      name: `${file.replace(/\W+/g, '-')}-${index}.mts`,
      code: (match[2] ?? '').replace(/^ *\* ?/gm, '').replace(/^```.*$/gm, ''),
    })),
  )
}

/**
 * An example as a program of its own: one without imports takes all it uses from the package and
 * the surroundings.
 */
function program(code: string): string {
  const uses = (name: string): boolean => new RegExp(`(?<![.\\w'@/-])${name}\\b(?!['-])`).test(code)
  const declares = (name: string): boolean =>
    new RegExp(`(const|let|import) (\\{[^}]*)?\\b${name}\\b`).test(code)
  const missing = (names: readonly string[]): string[] =>
    names.filter((name) => uses(name) && !declares(name))
  const imports = /^import /m.test(code) ? [] : missing(exported)
  return [
    imports.length === 0 ? '' : `import { ${imports.join(', ')} } from '@buildwire/sdk'`,
    ...missing(Object.keys(surroundings)).map((name) => surroundings[name]),
    code,
    'export {}',
  ].join('\n')
}

test('every example of the SDK compiles', async () => {
  const all = examples()
  expect(all.length).toBeGreaterThan(40)
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/tsdoc-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const { name, code } of all) writeFileSync(join(folder, name), program(code))
  const config = {
    extends: join(root, 'test/tsconfig.json'),
    include: ['*.mts'],
    compilerOptions: {
      verbatimModuleSyntax: false,
      paths: {
        '@buildwire/sdk': [join(source, 'index.ts')],
        '@buildwire/sdk/contract': [join(source, 'contract/index.ts')],
        '@buildwire/sdk/node-http': [join(source, 'http/node-http.ts')],
        '@buildwire/sdk/redis': [join(source, 'oauth/redis-token-store.ts')],
      },
    },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const output = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), ['-p', folder], (_, stdout) => resolve(stdout))
  })
  expect(output).toBe('')
})

test('everything that the package exports is described', () => {
  const declaration =
    /(\*\/\n)?^export (?:abstract |async )?(?:function\*?|class|interface|const|type) (\w+)/gm
  const declared = [...texts.values()].flatMap((text) => [...text.matchAll(declaration)])
  const described = new Set(
    declared.filter(([, comment]) => comment !== undefined).map((match) => match[2]),
  )
  const names = new Set(
    declared.map((match) => match[2] ?? '').filter((name) => exported.includes(name)),
  )
  expect(names.size).toBeGreaterThan(60)
  expect([...names].filter((name) => !described.has(name))).toEqual([])
})

test('everything that can be called or constructed has an example', () => {
  const documented =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:abstract |async )?(?:function\*?|class|const) (\w+)/g
  const withExample = [...texts.values()]
    .flatMap((text) => [...text.matchAll(documented)])
    .filter(([, comment]) => comment?.includes('@example'))
    .map((match) => match[2])
  expect(Object.keys(sdk).filter((name) => !withExample.includes(name))).toEqual([])
})
