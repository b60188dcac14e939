import { pathToFileURL } from 'node:url'
import { path } from './options.js'

/** Replacements of packages that this program does not need, such as oclif's plugins and themes. */
const STUBS = {
  tinyglobby: 'export const glob = async () => []; export const globSync = () => []',
  minimatch: 'export const minimatch = () => false',
  ejs: 'export const render = (text) => text; export default { render }',
  'cli-spinners': 'export default { dots2: { frames: [] }, line: { frames: [] } }',
  debug: `
    const noop = () => Object.assign(() => {}, { enabled: false, extend: noop })
    noop.enabled = () => false
    noop.enable = () => {}
    noop.disable = () => ''
    export default noop
  `,
  'wsl-utils': 'export const isWsl = false; export default false',
  // The smaller of the library's two validators, which does not compile schemas.
  '@modelcontextprotocol/server/_shims': `
    import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
    export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }
    export { default as process } from 'node:process'
  `,
}

/** An esbuild plugin with these replacements. */
export const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    const names = Object.keys(STUBS).join('|')
    onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path: name }) => ({
      path: name,
      namespace: 'stub',
    }))
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path: name }) => ({
      contents: STUBS[name],
      resolveDir: path(''),
    }))
  },
}

/**
 * An esbuild plugin that loads string-width at its first call, because its tables load more slowly
 * than all of help.
 */
export const lazyWidth = {
  name: 'lazy-width',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ path: name, importer }) =>
      importer.endsWith('width.ts') ? { path: name, namespace: 'lazy-width' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'lazy-width' }, () => ({
      contents: "export default (text) => require('string-width').default(text)",
      resolveDir: path(''),
    }))
  },
}

/** An esbuild plugin that keeps the names of emoji as text until one is looked up. */
export const lazyEmoji = {
  name: 'lazy-emoji',
  setup({ onLoad }) {
    onLoad(
      { filter: /markdown-it-emoji[/\\]lib[/\\]data[/\\]full\.mjs$/ },
      async ({ path: file }) => {
        const names = JSON.stringify((await import(pathToFileURL(file).href)).default)
        const get = '(_, name) => (all ??= JSON.parse(text))[name]'
        return {
          contents: `let all; const text = ${JSON.stringify(names)}; export default new Proxy({}, { get: ${get} })`,
        }
      },
    )
  },
}
