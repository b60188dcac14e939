import type { Context } from '../../context.js'
import type { Printable } from '../../io/printable.js'
import { layoutFrame } from '../frame.js'
import { emptyWatch, type WatchModel } from '../model.js'
import type { Presenter } from '../presenter.js'
import { openScreen } from './screen.js'

/** The live view of a watch: one frame that follows the build, and the server's time between its answers. */
export function openWatchView({ io, clock, looks, interrupts, command }: Context, pipeline: string): Presenter {
  const { stdout } = io
  let model: WatchModel = emptyWatch
  let shownAt = clock.monotonic()
  const screen = openScreen({
    stream: stdout,
    draw: (tick) => {
      const now = model.at + (clock.monotonic() - shownAt)
      const view = { width: stdout.columns, looks, now, manyPipelines: false, command, link: (text: Printable) => text }
      return layoutFrame({ model, pipeline, rows: stdout.rows - 1, tick }, view)
    },
    onClosed: (error) => interrupts.abort(error instanceof Error ? error : new Error(String(error))),
  })
  const forget = interrupts.onInterrupt(() => screen.close())
  return {
    async show(next) {
      if (next.at !== model.at) shownAt = clock.monotonic()
      model = next
      screen.update()
    },
    async close() {
      forget()
      await screen.end()
    },
  }
}
