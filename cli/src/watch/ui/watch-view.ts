import type { Context } from '../../context/context.js'
import type { Printable } from '../../io/printable.js'
import { layoutBoard } from '../board.js'
import { layoutFrame } from '../frame.js'
import { emptyWatch, type Presenter } from '../model.js'
import { openScreen } from './screen.js'

/**
 * The live view of a watch: a frame for one build, or a line per build for several. Between answers
 * the server's time is advanced by the local clock.
 */
export function openWatchView(
  { io, clock, looks, interrupts, command }: Context,
  refs: readonly string[],
): Presenter {
  const { stdout } = io
  const builds = new Map(
    refs.map((ref) => [ref, { model: emptyWatch(ref), shownAt: clock.monotonic() }]),
  )
  const screen = openScreen({
    stream: stdout,
    draw: (tick) => {
      const at = clock.monotonic()
      const watched = [...builds.values()].map(({ model, shownAt }) => ({
        model,
        now: model.at + (at - shownAt),
      }))
      const rows = stdout.rows - 1
      const [only = { model: emptyWatch(''), now: 0 }] = watched
      const { now } = only
      const view = {
        width: stdout.columns,
        looks,
        now,
        manyPipelines: false,
        command,
        link: (text: Printable) => text,
      }
      if (watched.length > 1) return layoutBoard({ watched, rows, tick }, view)
      return layoutFrame({ model: only.model, rows, tick }, view)
    },
    onClosed: interrupts.abort,
  })
  const removeListener = interrupts.onInterrupt(() => screen.close())
  return {
    async show(model) {
      const before = builds.get(model.ref)
      const isNew = before?.model.at !== model.at
      builds.set(model.ref, {
        model,
        shownAt: isNew || before === undefined ? clock.monotonic() : before.shownAt,
      })
      screen.update()
    },
    async close() {
      removeListener()
      await screen.end()
    },
  }
}
