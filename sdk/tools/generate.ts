import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Document, readDocument } from './document.js'
import { literal } from './literal.js'
import { renderOperations } from './operation-table.js'
import { renderSchemas } from './schema-types.js'

const BANNER = '// Generated from sdk/openapi.yaml by `npm run generate`. Edit that file, not this one.\n'
/** The document that everything here is generated from. */
export const CONTRACT = new URL('../openapi.yaml', import.meta.url)
const OUTPUT = new URL('../src/contract/', import.meta.url)

function renderDocument(document: Document): string {
  return [
    `import type { OpenApiDocument } from './open-api-document.js'`,
    `/** The contract, as an OpenAPI 3.1 document. */\nexport const openapiDocument: OpenApiDocument = ${literal(document)}\n`,
  ].join('\n\n')
}

/** The generated files by name, as they should be. */
export async function generate(document: Document): Promise<Readonly<Record<string, string>>> {
  return {
    'schemas.gen.ts': `${BANNER}\n${await renderSchemas(document)}`,
    'operations.gen.ts': `${BANNER}\n${renderOperations(document)}\n`,
    'document.gen.ts': `${BANNER}\n${renderDocument(document)}`,
  }
}

function readIfPresent(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes the generated files; with `--check`, only says which ones differ. Returns the exit code. */
export async function main(argv: readonly string[], output: URL = OUTPUT): Promise<number> {
  const unknown = argv.filter((argument) => argument !== '--check')
  if (unknown.length > 0) {
    console.error(`Usage: generate [--check] (got ${unknown.join(' ')})`)
    return 2
  }
  const files = Object.entries(await generate(readDocument(CONTRACT)))
  const stale = files.filter(([name, text]) => readIfPresent(new URL(name, output)) !== text)
  if (argv.includes('--check')) {
    for (const [name] of stale)
      console.error(`sdk/src/contract/${name} is not what sdk/openapi.yaml says: npm run generate`)
    return stale.length === 0 ? 0 : 1
  }
  for (const [name, text] of stale) writeFileSync(new URL(name, output), text)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
