import type { Context } from '../context/context.js'
import { say } from '../io/printable.js'
import type { ViewOptions } from '../views/view.js'
import { readStatus, type Status, type statusScope } from './read-status.js'
import { statuses } from './status-kind.js'
import type { StatusRecord } from './status-record.js'
import { statusTable } from './status-table.js'

const INTERVAL_MS = 10_000

/**
 * Shows a status again and again until Ctrl-C: as one screen on a terminal, elsewhere the builds
 * that changed.
 */
export async function watchStatus(
  context: Context,
  scope: Awaited<ReturnType<typeof statusScope>>,
): Promise<never> {
  const show =
    context.redraws && context.out.mode === 'table' ? await screen(context) : changes(context)
  for (;;) {
    await show(await readStatus(scope))
    await context.clock.sleep(INTERVAL_MS, context.signal)
  }
}

async function screen(context: Context): Promise<(status: Status) => Promise<void>> {
  const { io, looks, interrupts, command } = context
  const { stdout } = io
  const { openScreen } = await import('../watch/ui/screen.js')
  let latest: Status | null = null
  const draw = () => {
    if (latest === null) return [say`reading builds`]
    const served = Date.parse(latest.date ?? '')
    const view: ViewOptions = {
      width: stdout.columns,
      looks,
      now: Number.isNaN(served) ? context.clock.now() : served,
      manyPipelines: true,
      command,
      link: (text) => text,
    }
    const lines = statusTable(latest.builds, view)
    return lines.length === 0 ? [say`No builds`] : lines.slice(0, stdout.rows - 1)
  }
  const view = openScreen({ stream: stdout, draw, onClosed: interrupts.abort })
  interrupts.onInterrupt(() => view.close())
  return async (status) => {
    latest = status
    view.update()
  }
}

function changes({ out }: Context): (status: Status) => Promise<void> {
  const shown = new Map<string, string>()
  return async ({ builds, date }) => {
    const changed = builds.filter((record) => {
      const key = `${record.group} ${record.build}`
      const text = JSON.stringify(record)
      const isNew = shown.get(key) !== text
      shown.set(key, text)
      return isNew
    })
    if (changed.length > 0) await printStatus({ out }, changed, date)
  }
}

/** Prints builds in the form that the user asked for; `-o jsonl` prints an object a build. */
export async function printStatus(
  { out }: Pick<Context, 'out'>,
  records: readonly StatusRecord[],
  date: string | null,
): Promise<void> {
  if (out.machine) return out.values(await Promise.all(records.map(out.chosen)))
  return out.records(statuses, records, { date, manyPipelines: true })
}
