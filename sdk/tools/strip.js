/**
 * Takes the comments out of the built JavaScript, a fifth of what every user installs; they stay in
 * the declarations, where editors read them, and in `src`. The source maps still lead to the lines
 * of `src`.
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
  // What is stripped already has no need of it, and its map would grow worse.
  if (!/\/\*|\/\/ /.test(code)) continue
  const before = Buffer.from(readFileSync(`${path}.map`)).toString('base64')
  const mapped = `${code.replace(marker, '')}\n//# sourceMappingURL=data:application/json;base64,${before}`
  const after = transformSync(mapped, {
    sourcefile: name,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    minifySyntax: true,
    charset: 'utf8',
    target: 'esnext',
  })
  writeFileSync(path, `${after.code}//# sourceMappingURL=${name.split(/[\\/]/).at(-1)}.map\n`)
  writeFileSync(`${path}.map`, after.map)
}
