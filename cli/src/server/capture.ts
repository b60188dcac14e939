import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError, messageOf } from '../io/command-error.js'
import { firstLine, say, whole } from '../io/printable.js'
import { loadServer } from './load.js'
import { type Captured, seedOfBuilds } from './seed-of-builds.js'
import { standIns } from './stand-ins.js'

/** Thousands of jobs take a while to be written; a second Ctrl-C waits for nothing. */
const WRITE_MS = 60_000

/**
 * Prints a seed of the newest builds of a pipeline. Whatever ends the reading, a signal too: what
 * was read is printed before the error is told.
 */
export async function captureSeed(
  context: Context,
  place: Captured['place'],
  { limit, keep }: { readonly limit: number; readonly keep: readonly string[] | undefined },
): Promise<void> {
  const { interrupts, notes, out, signal, progress } = context
  const { SeedError, seedText } = await loadServer()
  const ci = await context.ci()
  /** By number, for a number that is told twice is one too many in a seed. */
  const found = new Map<number, Build>()
  const read = async () => {
    const params = { ...place, include_retried_jobs: true, per_page: Math.min(limit, 30) }
    const work = progress.start(
      (seconds) => say`reading builds: ${found.size} of ${limit}, ${seconds} s`,
    )
    try {
      for await (const build of ci.builds.listForPipeline(params, { signal })) {
        if (found.set(build.number, build).size === limit) return
      }
    } finally {
      work.stop()
    }
  }
  /**
   * Null for builds that no seed can say: its reader refuses a value, or one is of another kind
   * than it is read as.
   */
  const seedOf = async (some: readonly Build[]) => {
    try {
      const seed = seedOfBuilds({ place, builds: some }, standIns(keep))
      return { seed, text: await seedText(seed) }
    } catch (error) {
      if (!(error instanceof SeedError) && !(error instanceof TypeError)) throw error
      const [build] = some
      if (some.length === 1)
        notes.debug(say`build ${build?.number ?? ''}: ${firstLine(messageOf(error))}`)
      return null
    }
  }
  const write = async () => {
    const builds = [...found.values()]
    let made = await seedOf(builds)
    if (made === null) {
      const sayable: Build[] = []
      for (const build of builds) if ((await seedOf([build])) !== null) sayable.push(build)
      notes.line(
        say`${builds.length - sayable.length} of ${builds.length} builds left out: no seed can say them`,
      )
      if (sayable.length > 0) made = await seedOf(sayable)
    }
    if (made === null)
      throw new CommandError('unavailable', say`these builds cannot be said in a seed`)
    const { seed, text } = made
    await out.value(seed, () => [whole(text.trimEnd())])
  }
  const capture = async () => {
    const cut = await read().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (found.size > 0) await write()
    else if (cut === null) throw new CommandError('not_found', say`this pipeline has no builds`)
    if (cut !== null) throw cut.error
  }
  await interrupts.finishFirst('Writing what was read', capture(), WRITE_MS)
}
