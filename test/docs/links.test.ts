import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Page, pages, readPage, root } from './markdown.js'

const packages = ['sdk', 'mock-server', 'cli']

/** Targets of links and images in running text. Text in backquotes is not a link. */
const linksOf = ({ prose }: Page): readonly string[] =>
  prose.flatMap((line) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(/\]\(<?([^\s)>]+)>?(?: "[^"]*")?\)/g)].map(
      ([, target = '']) => target,
    ),
  )

/**
 * The anchors of a page: its headings in the spelling of code hosts. A repeated heading gets a
 * number at its end.
 */
function anchorsOf({ prose }: Page): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const line of prose) {
    const [, title] = /^#{1,6} +(.+?) *#*$/.exec(line) ?? []
    if (title === undefined) continue
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const isElsewhere = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target)

/** The error of a link, or null. */
function complaint(page: Page, target: string): string | null {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(root, page.file) : resolve(page.folder, decodeURIComponent(path))
  if (!existsSync(file)) return `${page.file}: ${target}: there is no such file`
  if (anchor === undefined || anchor === '') return null
  const wanted = statSync(file).isDirectory() ? join(file, 'README.md') : file
  if (!wanted.endsWith('.md')) return `${page.file}: ${target}: only pages have anchors`
  if (!existsSync(wanted) || !anchorsOf(readPage(wanted)).has(anchor)) {
    return `${page.file}: ${target}: there is no such heading`
  }
  return null
}

describe('the documentation', () => {
  it('links to files and headings that exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((target) => ({ page, target })))
    expect(links.length).toBeGreaterThan(50)
    const relativeLinks = links.filter(({ target }) => !isElsewhere(target))
    expect(relativeLinks.flatMap(({ page, target }) => complaint(page, target) ?? [])).toEqual([])
  })

  it('test finds a wrong link', () => {
    const page: Page = { file: 'README.md', folder: root, blocks: [], prose: [] }
    expect(complaint(page, 'docs/nowhere.md')).toContain('no such file')
    expect(complaint(page, 'CONTRIBUTING.md#nowhere')).toContain('no such heading')
    expect(complaint(page, 'CONTRIBUTING.md#where-things-go')).toBeNull()
    expect(complaint(page, '.ci/run#L3')).toContain('only pages')
  })

  it('can be reached from the README, page by page', () => {
    const reached = new Set(['README.md'])
    for (const file of reached) {
      const page = pages.find((candidate) => candidate.file === file)
      for (const target of page === undefined
        ? []
        : linksOf(page).filter((link) => !isElsewhere(link))) {
        const linked = relative(root, resolve(page?.folder ?? root, target.split('#')[0] ?? ''))
        if (linked.endsWith('.md')) reached.add(linked)
        else if (existsSync(join(root, linked, 'README.md'))) reached.add(join(linked, 'README.md'))
      }
    }
    const unread = pages.map(({ file }) => file).filter((file) => !reached.has(file))
    expect(unread).toEqual([])
  })
})

describe.each(packages)('the page of the package %s', (name) => {
  const page = pages.find(({ file }) => file === `${name}/README.md`)

  it('links only to files in its tarball', () => {
    const targets = linksOf(page as Page).filter(
      (target) => !isElsewhere(target) && !target.startsWith('#'),
    )
    const { files } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')) as {
      files: string[]
    }
    const packed = ['README.md', 'LICENSE', 'package.json', ...files]
    expect(targets.filter((target) => !packed.includes(target.split('#')[0] ?? ''))).toEqual([])
  })

  it('has the license of the project beside it', () => {
    expect(readFileSync(join(root, name, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    )
  })
})
