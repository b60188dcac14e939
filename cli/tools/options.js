import { fileURLToPath } from 'node:url'
import { aliases } from '../../sdk/tools/modules.js'

const root = new URL('../', import.meta.url)
/** A path inside this package. */
export const path = (name) => fileURLToPath(new URL(name, root))

/** What every esbuild run of this package shares. */
export const options = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  // The modules of the SDK one by one, so that each topic loads only what it needs.
  alias: aliases('node'),
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  external: [
    'ink',
    'react',
    'react/jsx-runtime',
    'jq-web',
    'jose',
    'undici',
    'supports-hyperlinks',
    '@buildwire/mock-server/main',
  ],
}
