import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Document, readDocument } from './document.js'
import { renderOperations } from './operation-table.js'

const BANNER =
  '// Generated from sdk/openapi.yaml by `npm run generate`. Edit that file, not this one.\n'
/** The document that everything here is generated from. */
export const CONTRACT = new URL('../openapi.yaml', import.meta.url)
const OUTPUT = new URL('../', import.meta.url)

/**
 * How each generated file is made. The document as JSON is not committed: `npm run build` makes it.
 */
const MAKERS: Readonly<Record<string, (document: Document) => string | Promise<string>>> = {
  'src/contract/schemas.gen.ts': async (document) => {
    const { renderSchemas } = await import('./schema-types.js')
    return `${BANNER}\n${await renderSchemas(document)}`
  },
  'src/contract/operations.gen.ts': (document) => `${BANNER}\n${renderOperations(document)}\n`,
  'dist/openapi.json': (document) => `${JSON.stringify(document)}\n`,
}

/** The generated files by name, as they should be. */
export async function generate(
  document: Document,
  names: readonly string[] = Object.keys(MAKERS),
): Promise<readonly (readonly [name: string, text: string])[]> {
  return Promise.all(
    names.map(async (name) => [name, (await MAKERS[name]?.(document)) ?? ''] as const),
  )
}

function readIfPresent(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes the generated files, or those that are named; with `--check`, only says which ones differ.
 * Returns the exit code.
 */
export async function main(argv: readonly string[], output: URL = OUTPUT): Promise<number> {
  const unknown = argv.filter(
    (argument) => argument !== '--check' && MAKERS[argument] === undefined,
  )
  if (unknown.length > 0) {
    console.error(
      `Usage: generate [--check] [${Object.keys(MAKERS).join(' | ')}]… (got ${unknown.join(' ')})`,
    )
    return 2
  }
  const named = argv.filter((argument) => argument !== '--check')
  const files = await generate(readDocument(CONTRACT), named.length > 0 ? named : undefined)
  const stale = files.filter(([name, text]) => readIfPresent(new URL(name, output)) !== text)
  if (argv.includes('--check')) {
    for (const [name] of stale)
      console.error(`sdk/${name} is not what sdk/openapi.yaml says: npm run generate`)
    return stale.length === 0 ? 0 : 1
  }
  for (const [name, text] of stale) {
    mkdirSync(new URL('./', new URL(name, output)), { recursive: true })
    writeFileSync(new URL(name, output), text)
  }
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2))
