import { type CreateBuildParams, createBuildsControl } from '../control/builds-control.js'
import type { Sight } from '../request/exchange.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { Reaction } from './exam.js'

/** The token that the first page was read with ends before the second. */
export const endToken: Reaction = ({ exchange: { caller, sandbox } }) =>
  sandbox.store.update((tx) => {
    const token = caller && tx.state.get('accessTokens', caller.token.id)
    if (token) tx.put('accessTokens', { ...token, revokedAt: sandbox.clock.now() })
  })

/** A build like the newest of the page is created behind it. */
export const insertBuild = async ({ exchange: { sandbox }, body }: Sight): Promise<void> => {
  const [newest] = JSON.parse(Buffer.from(body).toString()) as {
    readonly url: string
    readonly branch: string
    readonly commit: string
    readonly message: string | null
    readonly state: CreateBuildParams['state']
  }[]
  const [, org_slug = '', pipeline_slug = ''] =
    /organizations\/([^/]+)\/pipelines\/([^/]+)\//.exec(newest?.url ?? '') ?? []
  if (newest === undefined) return
  const { branch, commit, message, state } = newest
  const build = { branch, commit, message: message ?? '', state }
  await createBuildsControl(() => sandbox as Generation).create({ org_slug, pipeline_slug, ...build })
}
