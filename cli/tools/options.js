import { fileURLToPath } from 'node:url'

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
