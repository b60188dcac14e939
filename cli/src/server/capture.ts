import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { CommandError, messageOf } from '../io/command-error.js'
import { firstLine, say, whole } from '../io/printable.js'
import { loadServer } from './load.js'
import { type CapturedBuilds, seedOfBuilds } from './seed-of-builds.js'
import { standIns } from './stand-ins.js'

/** Writing thousands of jobs takes a while; a second Ctrl-C ends it at once. */
const WRITE_MS = 60_000

/**
 * Prints a seed of the newest builds of a pipeline. If an error or a signal ends the reading, the
 * builds that were read are printed first, and then the error is thrown.
 */
export async function captureSeed(
  context: Context,
  pipelinePath: CapturedBuilds['pipelinePath'],
  { limit, keep }: { readonly limit: number; readonly keep: readonly string[] | undefined },
): Promise<void> {
  const { interrupts, notes, out, signal, progress } = context
  const { SeedError, seedText } = await loadServer()
  const ci = await context.ci()
  /** Keyed by build number: a seed must not contain a number twice. */
  const buildsByNumber = new Map<number, Build>()
  const read = async () => {
    const params = { ...pipelinePath, include_retried_jobs: true, per_page: Math.min(limit, 30) }
    const work = progress.start(
      (seconds) => say`reading builds: ${buildsByNumber.size} of ${limit}, ${seconds} s`,
    )
    try {
      for await (const build of ci.builds.listForPipeline(params, { signal })) {
        if (buildsByNumber.set(build.number, build).size === limit) return
      }
    } finally {
      work.stop()
    }
  }
  /**
   * Null for builds that a seed cannot express: its reader refuses a value, or a value has another
   * type than the contract says.
   */
  const seedOf = async (builds: readonly Build[]) => {
    try {
      const seed = seedOfBuilds({ pipelinePath, builds }, standIns(keep))
      return { seed, text: await seedText(seed) }
    } catch (error) {
      if (!(error instanceof SeedError) && !(error instanceof TypeError)) throw error
      const [build] = builds
      if (builds.length === 1)
        notes.debug(say`build ${build?.number ?? ''}: ${firstLine(messageOf(error))}`)
      return null
    }
  }
  const write = async () => {
    const builds = [...buildsByNumber.values()]
    let result = await seedOf(builds)
    if (result === null) {
      const usable: Build[] = []
      for (const build of builds) if ((await seedOf([build])) !== null) usable.push(build)
      notes.line(
        say`${builds.length - usable.length} of ${builds.length} builds left out: a seed cannot contain them`,
      )
      if (usable.length > 0) result = await seedOf(usable)
    }
    if (result === null)
      throw new CommandError('unavailable', say`a seed cannot contain these builds`)
    const { seed, text } = result
    await out.value(seed, () => [whole(text.trimEnd())])
  }
  const capture = async () => {
    const failure = await read().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (buildsByNumber.size > 0) await write()
    else if (failure === null) throw new CommandError('not_found', say`this pipeline has no builds`)
    if (failure !== null) throw failure.error
  }
  await interrupts.finishFirst('Writing what was read', capture(), WRITE_MS)
}
