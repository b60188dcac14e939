/** Parts of @oclif/core's load that this program's set-up never calls: no plugins, no themes, no spinners. */
const STUBS = {
  tinyglobby: 'export const glob = async () => []; export const globSync = () => []',
  minimatch: 'export const minimatch = () => false',
  ejs: 'export const render = (text) => text; export default { render }',
  'cli-spinners': 'export default { dots2: { frames: [] }, line: { frames: [] } }',
  debug:
    'const noop = () => Object.assign(() => {}, { enabled: false, extend: noop }); noop.enabled = () => false; noop.enable = () => {}; noop.disable = () => ""; export default noop',
  'wsl-utils': 'export const isWsl = false; export default false',
}

/** An esbuild plugin that replaces them. */
export const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    const names = Object.keys(STUBS).join('|')
    onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path }) => ({ path, namespace: 'stub' }))
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({ contents: STUBS[path], loader: 'js' }))
  },
}
