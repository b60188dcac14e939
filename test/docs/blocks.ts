import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** `docs/guides/sdk.md:12` */
  readonly place: string
  readonly language: string
  readonly source: string
}

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return markdownFiles(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/** Every fenced code block of every Markdown file of the project. */
export function codeBlocks(): readonly Block[] {
  return markdownFiles(root).flatMap((path) => {
    const blocks: Block[] = []
    let open: { line: number; language: string; lines: string[] } | undefined
    for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      const fence = /^```(\S*)/.exec(line)
      if (fence && !open) open = { line: index + 1, language: fence[1] ?? '', lines: [] }
      else if (line.startsWith('```') && open) {
        const place = `${relative(root, path)}:${open.line}`
        blocks.push({ place, language: open.language, source: `${open.lines.join('\n')}\n` })
        open = undefined
      } else open?.lines.push(line)
    }
    if (open) throw new Error(`${relative(root, path)}:${open.line}: the code block does not end`)
    return blocks
  })
}
