import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from '@buildwire/sdk'
import { fileLinkFor } from '../../io/hyperlink.js'
import { type Printable, say } from '../../io/printable.js'
import type { Context } from '../context.js'

/**
 * Makes the text of a problem's place in the code, `src/a.ts:41:26`. A file of this checkout is
 * named from the current directory, as a link where the terminal shows links.
 */
export async function codeLocations(
  { io, looks, git }: Pick<Context, 'io' | 'looks' | 'git'>,
  problems: readonly Problem[],
): Promise<(problem: Problem) => Printable | null> {
  if (problems.every(({ location }) => !location)) return () => null
  const root = await git('rev-parse', '--show-toplevel')
  const link = await fileLinkFor(io.stdout, looks.plain)
  return ({ location }) => {
    if (!location) return null
    const { file, line, column } = location
    const place = !column ? `${line}` : `${line}:${column}`
    const path = root === null ? null : findFile(root, file)
    if (path === null) return say`${file}:${place}`
    return link(say`${relative(io.cwd, path)}:${place}`, pathToFileURL(path).href)
  }
}

/**
 * The file of the checkout that a log names; null if there is none. The path on the agent may begin
 * with folders of the agent, so its end counts.
 */
function findFile(root: string, named: string): string | null {
  const parts = named.split(/[\\/]/u).filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return null
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/u.test(named)
  const starts = isAbsolute ? parts.keys() : [0]
  for (const start of starts) {
    const path = join(root, ...parts.slice(start))
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path
  }
  return null
}
