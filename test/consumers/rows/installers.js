import { imports, program, yaml } from './programs.js'
import { node, own, row } from './row.js'

const ci = ['server', 'exec', '--', 'ci', 'builds', 'list', '--limit', '1', '--json']

export const installerRows = [
  row('npm', ['npm'], {
    files: { 'package.json': '{}' },
    setup: [['npm', 'ls', '--prefix', '..']],
    commands: [['../node_modules/.bin/ci', ...ci]],
    prints: /"number": ?\d+/,
  }),
  // The registry has none of the packages yet, so each names the file of the other.
  row('pnpm', ['pnpm'], {
    tool: own('pnpm'),
    ownProject: true,
    files: (tarballs) => ({
      'package.json': JSON.stringify({ type: 'module', dependencies: tarballs }),
      'pnpm-workspace.yaml': `packages: []\noverrides: ${JSON.stringify(tarballs)}\n`,
      'app.js': program(imports),
      'acme.yaml': yaml,
    }),
    setup: [[node, own('pnpm/bin/pnpm.cjs'), 'install', '--prefer-offline']],
    commands: [
      [node, 'app.js'],
      ['node_modules/.bin/ci', ...ci],
    ],
    prints: /used both|"number": ?\d+/,
  }),
]
