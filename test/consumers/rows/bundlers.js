import { imports, program, yaml } from './programs.js'
import { node, own, row } from './row.js'

/**
 * A row that builds `app.js` as `app.mjs` or `app.cjs`, and runs what was built, where no package is
 * installed. `build` makes the command for an output file.
 */
function bundled(title, tool, format, build, files = {}) {
  const out = `../../bundles/${title}/app.${format === 'esm' ? 'mjs' : 'cjs'}`
  const form = format === 'esm' ? 'ES modules' : 'CommonJS'
  return row(`${title}, ${form}, minified`, [title], {
    tool: own(tool),
    files: {
      'package.json': '{ "type": "module" }',
      'app.js': program(imports),
      'acme.yaml': yaml,
      ...files,
    },
    setup: [build(out)],
    commands: [[node, out]],
    prints: /used both/,
  })
}

const esbuildWords = ['app.js', '--bundle', '--minify', '--platform=node', '--log-level=error']
const esbuildRow = (format) => {
  const build = [own('esbuild/bin/esbuild'), ...esbuildWords, `--format=${format}`]
  return bundled('esbuild', 'esbuild', format, (out) => [...build, `--outfile=${out}`])
}

const rollupConfig = `import commonjs from '${own('@rollup/plugin-commonjs/dist/es/index.js')}'
import json from '${own('@rollup/plugin-json/dist/es/index.js')}'
import { nodeResolve } from '${own('@rollup/plugin-node-resolve/dist/es/index.js')}'
import terser from '${own('@rollup/plugin-terser/dist/es/index.js')}'
export default {
  input: 'app.js',
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), json(), terser()],
  onwarn: () => {},
}
`
const rollupWords = ['-c', 'rollup.config.js', '--silent', '--inlineDynamicImports']
const rollupRow = (format) => {
  const build = [node, own('rollup/dist/bin/rollup'), ...rollupWords, '-f', format, '-o']
  return bundled('rollup', 'rollup', format, (out) => [...build, out], {
    'rollup.config.js': rollupConfig,
  })
}

const webpackProgram = (library) => `import { basename, dirname, resolve } from 'node:path'
import webpack from '${own('webpack/lib/index.js')}'
const modules = ${library === 'module'}
const out = resolve(process.argv[2])
webpack({
  mode: 'production',
  target: 'node20',
  context: import.meta.dirname,
  entry: './app.js',
  experiments: { outputModule: modules },
  output: {
    path: dirname(out),
    filename: basename(out),
    chunkFormat: modules ? 'module' : 'commonjs',
    library: { type: modules ? 'module' : 'commonjs2' },
  },
}, (error, stats) => {
  const failed = error ?? (stats.hasErrors() ? stats.toString('errors-only') : undefined)
  if (failed) throw new Error(String(failed))
})
`
const webpackRow = (format, library) =>
  bundled('webpack', 'webpack', format, (out) => [node, 'build.js', out], {
    'build.js': webpackProgram(library),
  })

export const bundlerRows = [
  { ...esbuildRow('esm'), quick: true },
  esbuildRow('cjs'),
  rollupRow('esm'),
  rollupRow('cjs'),
  webpackRow('esm', 'module'),
  webpackRow('cjs', 'commonjs2'),
]
