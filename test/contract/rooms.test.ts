import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Entries at the top of a package's sources: more than this nobody takes in at a glance. */
const most: Readonly<Record<string, number>> = { sdk: 18, 'mock-server': 20, cli: 18 }

/**
 * The rooms of a package in the order of `docs/architecture.md`: the first ones import none of the
 * later ones.
 */
function rooms(name: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, table = ''] = text.split(`### \`${name}/src\`\n`)
  return [...(table.split('\n#')[0] ?? '').matchAll(/^\| `([\w.-]+)`/gmu)].map(
    ([, room = '']) => room,
  )
}

/** Every import of a source file that leads to another one, types included. */
function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/gu)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

describe.each(Object.keys(most))('the rooms of %s', (name) => {
  const source = join(root, name, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/u.test(file),
  )
  const roomOf = (path: string): string => path.split('/')[0]?.replace(/\.tsx?$/u, '') ?? ''
  const order = rooms(name).map((room) => room.replace(/\.ts$/u, ''))

  it('stand in the documentation, each once, and are few', () => {
    const there = readdirSync(source)
    expect([...rooms(name)].sort()).toEqual(there.sort())
    expect(there.length).toBeLessThanOrEqual(most[name] ?? 0)
  })

  it('import only from rooms that stand before them', () => {
    const climbs = files.flatMap((file) =>
      importsOf(join(source, file))
        .map((target) => relative(source, target))
        .filter((target) => order.indexOf(roomOf(target)) > order.indexOf(roomOf(file)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(climbs).toEqual([])
  })
})
