import { readContexts } from '../../config/contexts.js'
import { command } from '../../context/base-command.js'
import { bytes, tsvLine } from '../../io/machine.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'List the contexts',
  examples: ['ci context list', 'ci context list --json'],
  async execute({ io, out, notes }) {
    const { contexts, current } = await readContexts(io)
    const rows = [...contexts].map(([name, context]) => ({ name, current: name === current, ...context }))
    if (out.machine) return out.values(rows)
    if (rows.length === 0) return notes.note(say`No context is set; ci context set NAME --base-url URL makes one`)
    if (out.mode === 'id') return out.lines(rows.map(({ name }) => say`${name}`))
    if (out.mode === 'tsv') {
      const line = (row: (typeof rows)[number]) =>
        tsvLine([row.name, row.current, row.baseUrl, ...(row.org_slug === undefined ? [] : [row.org_slug])])
      return io.stdout.write(bytes(rows.map(line).join('')))
    }
    const width = Math.max(...rows.map(({ name }) => name.length))
    const line = (row: (typeof rows)[number]) =>
      say`${row.current ? '*' : ' '} ${row.name.padEnd(width)}  ${row.baseUrl}${row.org_slug ? `  ${row.org_slug}` : ''}`
    await out.lines(rows.map(line))
  },
})
