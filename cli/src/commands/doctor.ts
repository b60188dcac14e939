import { type Check, runChecks } from '../auth/doctor/checks.js'
import { command } from '../context/base-command.js'
import { switchFlag } from '../flags/flags.js'
import { ExitCode } from '../io/exit-codes.js'
import { bytes, tsvLine } from '../io/machine.js'
import { say } from '../io/printable.js'
import { cells, hanging } from '../io/width.js'
import { markOf, markText, type StyledMark } from '../views/marks.js'

export const doctor = command({
  summary: 'Check files, variables, server and token',
  operations: ['accessToken.get'],
  examples: ['ci doctor', 'ci doctor --offline --json'],
  flags: { offline: switchFlag({ summary: 'Send no request' }) },
  async execute(context, { flags }) {
    const { out, looks, io } = context
    const checks = await runChecks(context, flags.offline === true)
    if (out.machine) await out.values(checks)
    else if (out.mode === 'table') {
      const width = Math.max(...checks.map(({ name }) => name.length))
      await out.lines(
        checks.flatMap(({ ok, name, value, source }) => {
          const look = ok && isAbsent(value) ? ABSENT : markOf(ok ? 'passed' : 'failed')
          const word = looks.plain
            ? say`${ok ? 'ok' : 'fault'}: `
            : looks.paint(look.style, markText(look, looks))
          const indent = cells(word) + width + 2
          const shown = say`${underHome(value, io.home)}`
          const lines = hanging(
            say`${word}${name.padEnd(width)}  `,
            indent,
            shown,
            io.stdout.columns,
          )
          if (source === null) return lines
          const origin = say`(${underHome(source, io.home)})`
          const fits =
            lines.length === 1 && indent + cells(say`${shown}  ${origin}`) <= io.stdout.columns
          if (fits) return lines.map((line) => say`${line}  ${looks.paint('dim', origin)}`)
          const below = hanging(say`${' '.repeat(indent)}`, indent, origin, io.stdout.columns)
          return [...lines, ...below.map((line) => looks.paint('dim', line))]
        }),
      )
    } else {
      const line = ({ ok, name, value, source }: Check) =>
        tsvLine(source === null ? [ok, name, value] : [ok, name, value, source])
      await io.stdout.write(bytes(checks.map(line).join('')))
    }
    return checks.every(({ ok }) => ok) ? ExitCode.ok : ExitCode.negative
  },
})

/** The mark of what is not set, which is not a fault. */
const ABSENT: StyledMark = { kind: 'unknown', mark: '·', ascii: '-', style: 'dim' }

function isAbsent(value: string): boolean {
  return value === 'none' || value.startsWith('no ')
}

function underHome(text: string, home: string): string {
  return text.startsWith(`${home}/`) ? `~${text.slice(home.length)}` : text
}
