import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError } from '../io/command-error.js'
import { say, whole } from '../io/printable.js'
import { loadServer } from './load.js'
import { type Captured, isSayable, seedOfBuilds } from './seed-of-builds.js'
import { standIns } from './stand-ins.js'

/**
 * Prints a seed of the newest builds of a pipeline. Whatever ends the reading, a signal too: what was read is printed
 * before the error is told.
 */
export async function captureSeed(
  context: Context,
  place: Captured['place'],
  { limit, keep }: { readonly limit: number; readonly keep: readonly string[] | undefined },
): Promise<void> {
  const { interrupts, notes, out, signal, progress } = context
  const { seedText } = await loadServer()
  const ci = await context.ci()
  const builds: Build[] = []
  const read = async () => {
    const params = { ...place, include_retried_jobs: true, per_page: Math.min(limit, 30) }
    const work = progress.start((seconds) => say`reading builds: ${builds.length} of ${limit}, ${seconds} s`)
    try {
      for await (const build of ci.builds.listForPipeline(params, { signal })) {
        if (builds.push(build) === limit) return
      }
    } finally {
      work.stop()
    }
  }
  const write = async () => {
    const sayable = builds.filter(isSayable)
    const seed = seedOfBuilds({ place, builds: sayable }, standIns(keep))
    if (sayable.length < builds.length) {
      notes.line(
        say`${builds.length - sayable.length} of ${builds.length} builds left out: in a state that no seed can say`,
      )
    }
    const text = await seedText(seed)
    await out.value(seed, () => [whole(text.trimEnd())])
  }
  const capture = async () => {
    const cut = await read().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (builds.length > 0) await write()
    else if (cut === null) throw new CommandError('not_found', say`this pipeline has no builds`)
    if (cut !== null) throw cut.error
  }
  await interrupts.finishFirst('Writing what was read', capture())
}
