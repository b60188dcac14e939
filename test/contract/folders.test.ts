import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The most names that the top folder of a package's sources may hold, so that it can be surveyed. */
const most: Readonly<Record<string, number>> = { sdk: 18, 'mock-server': 20, cli: 18 }

/**
 * The folders of a package in the order of `docs/architecture.md`: a folder imports from itself and
 * from earlier ones.
 */
function documentedFolders(name: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, table = ''] = text.split(`### \`${name}/src\`\n`)
  const rows = (table.split('\n#')[0] ?? '').matchAll(/^\| `([\w.-]+)`/gmu)
  return [...rows].map(([, folder = '']) => folder)
}

/** The files of the package that a source file imports, for types too. */
function importsOf(file: string): readonly string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/gu)
  return [...imports].map(([, path = '']) => join(dirname(file), path))
}

describe.each(Object.keys(most))('the folders of %s', (name) => {
  const source = join(root, name, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/u.test(file),
  )
  const folderOf = (path: string): string => path.split('/')[0]?.replace(/\.tsx?$/u, '') ?? ''
  const order = documentedFolders(name).map((folder) => folder.replace(/\.ts$/u, ''))

  it('are each listed once in the documentation, and are few', () => {
    const present = readdirSync(source)
    expect([...documentedFolders(name)].sort()).toEqual(present.sort())
    expect(present.length).toBeLessThanOrEqual(most[name] ?? 0)
  })

  it('import only from folders that the documentation lists before them', () => {
    const wrong = files.flatMap((file) =>
      importsOf(join(source, file))
        .map((target) => relative(source, target))
        .filter((target) => order.indexOf(folderOf(target)) > order.indexOf(folderOf(file)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })
})
