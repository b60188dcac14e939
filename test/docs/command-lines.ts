import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize, flagTable } from '../../cli/src/flags/argv.js'
import { root } from './markdown.js'

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly flags: Readonly<Record<string, Flag>> }>>
}
type Flag = Parameters<typeof flagTable>[0][number]

/** Commands that pass their arguments on to another program. */
const passOn = new Set(['server:start', 'server:exec', 'server:prove'])

/**
 * The arguments of every `ci` command in a shell script, without comments, pipes and the part after
 * `--`.
 */
function commandsIn(source: string): readonly (readonly string[])[] {
  const lines = source
    .replaceAll('\\\n', ' ')
    .replace(/"?\$\(([^)]*)\)"?/g, '\n$1\n')
    .split('\n')
  const parts = lines.flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/\|\|?|&&|;/))
  return parts.flatMap((part) => {
    const words: readonly string[] = part.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/gu) ?? []
    const start = words.indexOf('ci')
    if (start === -1 || words.slice(0, start).some((word) => !/^(?:npx|[A-Z_]+=\S*)$/.test(word)))
      return []
    const rest = words.slice(start + 1)
    const cut = rest.findIndex((word) => /^(?:--|[<>].*|&)$/.test(word))
    return [cut === -1 ? rest : rest.slice(0, cut)]
  })
}

/** Finds commands in a shell script that `ci` would refuse, and counts the commands. */
export function readCommands(source: string): {
  readonly count: number
  readonly complaints: readonly string[]
} {
  const { commands } = JSON.parse(
    readFileSync(join(root, 'cli/oclif.manifest.json'), 'utf8'),
  ) as Manifest
  const read = commandsIn(source)
  const complaints = read.flatMap((words) => {
    const shown = `ci ${words.join(' ')}`
    const two = words.slice(0, 2).join(':')
    const id = two in commands ? two : (words[0] ?? '')
    const command = commands[id]
    if (command === undefined) return [`${shown}: there is no such command`]
    if (passOn.has(id)) return []
    try {
      canonicalize(words.slice(id.split(':').length), flagTable(Object.values(command.flags)))
      return []
    } catch (error) {
      return [`${shown}: ${String(error)}`]
    }
  })
  return { count: read.length, complaints }
}
