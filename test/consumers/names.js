import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runners, runtimes, bundlers and installers, as a page names them. */
const known = `Jest Mocha vitest node:test AVA Jasmine Cypress Playwright jsdom happy-dom
  tsx ts-node TypeScript Babel SWC Node Bun Deno workerd Chromium Firefox Safari Electron
  esbuild rollup Rolldown webpack Rspack Parcel Vite npm pnpm Yarn`.split(/\s+/)

/** Runtimes without a server in the same process; `npm run runtimes` tries the SDK on them. */
const elsewhere = ['workerd', 'Chromium']

/** Pages that a run writes. */
const generated = /^(consumers|benchmarks|conformance)\.md$/

function pages() {
  const isPage = (name) => name.endsWith('.md') && !generated.test(name)
  const guides = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).filter(isPage)
  const readmes = ['README.md', 'sdk/README.md', 'mock-server/README.md', 'cli/README.md']
  return [...readmes, ...guides.map((name) => `docs/${name}`)]
}

/** The names in a text: those of the list, and the lines of Node, such as `Node 22`. */
function namesIn(text) {
  const has = (name) => new RegExp(`(?<![\\w:/.-])${name}(?![\\w-])`, 'i').test(text)
  const lists = text.matchAll(/\bNode (\d\d(?:\.\d+)*(?:(?:, | and | to |\/)\d\d(?:\.\d+)*)*)/g)
  const lines = [...lists].flatMap(([, list]) => list.match(/\d\d(?:\.\d+)*/g))
  return [...known.filter(has), ...lines.map((line) => `Node ${line}`)]
}

/** What a page names and no row tries, as sentences. */
export function findUntried(rows) {
  const tried = new Set([...elsewhere, ...rows.flatMap(({ names }) => names)])
  const isTried = (name) =>
    tried.has(name) || [...tried].some((other) => other.startsWith(`${name}.`))
  return pages().flatMap((page) =>
    namesIn(readFileSync(root + page, 'utf8'))
      .filter((name) => !isTried(name))
      .map((name) => `${page} names ${name}, and npm run consumers has no row for it`),
  )
}
