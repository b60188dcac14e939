import type { Build } from '@buildwire/sdk/contract'
import type { Workshop } from '../support/workshop.js'

export const COMMIT = '9b1d4e7c02ab9b1d4e7c02ab9b1d4e7c02ab9b1d'

/** Functions that create and advance builds in the workshop of the current test. */
export function buildsOf(shop: Workshop) {
  /** Creates a build whose jobs wait for agents. */
  const newBuild = () =>
    shop.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      commit: COMMIT,
      branch: 'main',
    })
  const advance = (
    build: Build,
    to: 'started' | 'failing' | 'blocked' | 'finished',
    outcome?: 'passed' | 'failed',
  ) => shop.control.builds.advance({ id: build.id, to, outcome })
  return {
    newBuild,
    advance,
    /** Calls `run` after a time on the workshop's clock. */
    later: (ms: number, run: () => Promise<unknown>) => shop.clock.sleep(ms).then(run),
    /** Finishes the newest builds with these outcomes, the newest first. */
    async finishNewest(...outcomes: ('passed' | 'failed')[]) {
      const { stdout } = await shop.run(['builds', 'list', '-L', `${outcomes.length}`, '--json'])
      for (const [at, build] of (JSON.parse(stdout) as Build[]).entries())
        await advance(build, 'finished', outcomes[at])
    },
  }
}
