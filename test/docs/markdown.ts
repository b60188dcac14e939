import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** `docs/guides/write-a-seed.md:12` */
  readonly place: string
  /** `docs/guides/write-a-seed.md` */
  readonly file: string
  readonly language: string
  /** The word after the language: `read` in "sh read". */
  readonly mode: string
  readonly source: string
}

export interface Page {
  readonly file: string
  readonly folder: string
  readonly blocks: readonly Block[]
  /** The page without its code, line by line. */
  readonly prose: readonly string[]
}

const notOurs = new Set(['node_modules', 'dist', 'reports', 'coverage'])

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return markdownFiles(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/**
 * Splits a page into its fenced blocks and the text around them.
 *
 * @throws Error for a block without an end
 */
export function readPage(path: string): Page {
  const file = relative(root, path)
  const blocks: Block[] = []
  const prose: string[] = []
  let open: { line: number; language: string; mode: string; lines: string[] } | undefined
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const fence = /^```(\S*) *(.*)$/.exec(line)
    if (fence && !open)
      open = { line: index + 1, language: fence[1] ?? '', mode: fence[2] ?? '', lines: [] }
    else if (fence && open) {
      const { language, mode, lines } = open
      blocks.push({
        place: `${file}:${open.line}`,
        file,
        language,
        mode,
        source: `${lines.join('\n')}\n`,
      })
      open = undefined
    } else if (open) open.lines.push(line)
    else prose.push(line)
  }
  if (open) throw new Error(`${file}:${open.line}: the code block does not end`)
  return { file, folder: dirname(path), blocks, prose }
}

/** Every Markdown page of the project. */
export const pages: readonly Page[] = markdownFiles(root).map(readPage)
