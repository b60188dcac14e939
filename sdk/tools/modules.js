/** Where tsc writes the modules that this package names in `exports` and `imports`. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The entries of the package by their file names in `dist/bundle` and `dist/cjs`. */
export const entries = {
  index: 'index.js',
  contract: 'contract/index.js',
  'node-http': 'http/node-http.js',
  redis: 'oauth/redis-token-store.js',
}

/** The modules among which the package's `imports` choose, by their file names in `dist/bundle`. */
export function importTargets(dist = fileURLToPath(new URL('../dist/', import.meta.url))) {
  const written = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^(?:bundle|cjs)\//.test(file))
  const targets = Object.values(manifest.imports).flatMap(({ types, ...scripts }) =>
    Object.values(scripts),
  )
  const names = new Set(targets.map((target) => basename(target, '.js')))
  const fileOf = (name) => written.find((file) => basename(file) === `${name}.js`)
  return Object.fromEntries([...names].map((name) => [name, fileOf(name)]))
}

/** esbuild's `alias` for another bundle of these modules than `dist/bundle`, so that it has one copy. */
export function aliases(condition, dist = fileURLToPath(new URL('../dist/', import.meta.url))) {
  const targets = importTargets(dist)
  const imports = Object.entries(manifest.imports).map(([name, conditions]) => [
    name,
    dist + targets[basename(conditions[condition], '.js')],
  ])
  const exported = Object.entries(entries).map(([name, file]) => [
    name === 'index' ? '@buildwire/sdk' : `@buildwire/sdk/${name}`,
    dist + file,
  ])
  return Object.fromEntries([...imports, ...exported])
}
