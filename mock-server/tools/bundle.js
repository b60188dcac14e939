// Joins what tsc made into few files: a start reads some twenty of ours, and not two hundred. Other
// packages stay outside.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

rmSync(`${root}dist/bundle`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: [
    'index',
    'main',
    'store/owner',
    'store/patience',
    'program/programs',
    'server/doors/msw',
    'program/vitest',
  ].map((name) => `dist/${name}.js`),
  // As deep as the files that they are made of, which find the package's own files by `../../`.
  outdir: 'dist/bundle',
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
})
