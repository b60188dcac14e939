/**
 * Takes comments and white space out of the built JavaScript, a third of what every user installs.
 * The comments stay in the declarations, where editors read them, and in `src`; the source maps
 * lead to the lines of `src`. Lines stay short enough for positions in a stack.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const marker = /\n?\/\/# sourceMappingURL=.*\s*$/

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  // `cjs` holds bundles, which have no comments.
  if (!name.endsWith('.js') || name.startsWith('cjs')) continue
  const path = dist + name
  const code = readFileSync(path, 'utf8')
  const map = readFileSync(`${path}.map`, 'utf8')
  // Only a map of tsc names its file: the others belong to code that is stripped already.
  if (JSON.parse(map).file === undefined) continue
  const before = Buffer.from(map).toString('base64')
  const mapped = `${code.replace(marker, '')}\n//# sourceMappingURL=data:application/json;base64,${before}`
  const after = transformSync(mapped, {
    sourcefile: name,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    charset: 'utf8',
    target: 'esnext',
  })
  writeFileSync(path, `${after.code}//# sourceMappingURL=${name.split(/[\\/]/).at(-1)}.map\n`)
  writeFileSync(`${path}.map`, after.map)
}
