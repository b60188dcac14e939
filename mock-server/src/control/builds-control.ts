import type { Build } from '@buildwire/sdk/contract'
import { advanceBuild, advanceGoals } from '../domain/advance-build.js'
import { createBuild } from '../domain/create-build.js'
import { type Given, object, optional, required } from '../fields/composites.js'
import { createIssueList } from '../fields/field.js'
import { oneOf, text } from '../fields/scalars.js'
import { present } from '../present/present.js'
import type { BuildRecord } from '../records/records.js'
import type { Generation } from '../sandbox/sandbox.js'
import { drawnFrom } from '../sandbox/seeded-state.js'
import { buildTable, type SeedBuild } from '../seed/build-tables.js'
import { linkBuild, loadBuild, type PipelinePlace, requestOf } from '../seed/load-build.js'
import { type Loading, startLoading } from '../seed/loading.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import { granted, invalid, notFound } from './control-error.js'
import { type Calls, readParams } from './host.js'

const slug = text({ min: 1, max: 100 })
const createTable = { org_slug: required(slug), pipeline_slug: required(slug), ...buildTable }
const createField = object(createTable)

export type CreateBuildParams = Given<typeof createTable>

/** A build as the control API answers it: the wire's form, in process too; every execution of every job; nothing of it is the record's. */
export const viewBuild = (generation: Generation, build: BuildRecord): Build =>
  JSON.parse(JSON.stringify(present(generation).build(build, { jobs: build.jobs })))

const placeOf = (tx: Transaction, org_slug: string, pipeline_slug: string): PipelinePlace => {
  const organization = tx.state.find('organizationBySlug', org_slug) ?? notFound('organization')
  return {
    organization,
    pipeline: tx.state.find('pipelineBySlug', organization.id, pipeline_slug) ?? notFound('pipeline'),
  }
}

/** States that a build of the pipeline's steps is brought to; in the others it stands as it was given. */
const goals = { running: 'started', failing: 'failing', passed: 'finished', failed: 'finished' } as const
type Reachable = keyof typeof goals
const isReachable = (state: string): state is Reachable => Object.hasOwn(goals, state)

const createPlanned = (
  tx: Transaction,
  generation: Generation,
  place: PipelinePlace,
  given: SeedBuild,
  loading: Loading,
): BuildRecord | undefined => {
  const turn = turnOf(tx, generation, loading.context.now)
  const creator = given.creator ? loading.refer('user', ['creator'], given.creator) : undefined
  const request = requestOf(given, place.pipeline, creator, { commit: given.commit ?? 'HEAD', pull_request: null })
  const origin = { source: given.source ?? 'webhook', creatorId: creator?.id ?? null }
  const made = granted(createBuild(turn, place.pipeline, request, origin))
  const { state, jobs: _jobs, force: _force, id: _id, ...rest } = given
  if (state && isReachable(state)) {
    granted(advanceBuild(turn, turn.build(made.id) ?? made, goals[state], state === 'failed' ? 'failed' : undefined))
  }
  return loadBuild(loading, place, { ...rest, id: made.id, force: true }, [])
}

export const createBuildsControl = ({ bare, call }: Calls) => ({
  /** Makes a build: by its pipeline's steps, or exactly as given when `jobs` or an unusual `state` say so. */
  create: bare(async (params: CreateBuildParams, generation) => {
    const { org_slug, pipeline_slug, ...given } = readParams(createField, params)
    const build = await generation.store.update((tx) => {
      const place = placeOf(tx, org_slug, pipeline_slug)
      const issues = createIssueList()
      const loading = startLoading(tx, drawnFrom(generation), issues)
      const state = given.state ?? 'scheduled'
      const planned = !given.jobs && !given.id && !given.blocked && (state === 'scheduled' || isReachable(state))
      const record = planned
        ? createPlanned(tx, generation, place, given, loading)
        : loadBuild(loading, place, given, [])
      if (record) linkBuild(loading, place, given, record, [])
      if (issues.count > 0 || !record) throw invalid(issues)
      return tx.state.get('builds', record.id) ?? record
    })
    return viewBuild(generation, build)
  }),
  /** Brings a build to a goal by legal moves on the way. @throws ControlError (422) when none leads there */
  advance: call(
    {
      id: required(text({ min: 1, max: 64 }), 'The id of the build.'),
      to: required(oneOf(...advanceGoals)),
      outcome: optional(oneOf('passed', 'failed')),
    },
    async ({ id, to, outcome }, generation) => {
      const build = await generation.store.update((tx) => {
        const found = tx.state.get('builds', id.toLowerCase()) ?? notFound('build')
        return granted(advanceBuild(turnOf(tx, generation, generation.clock.now()), found, to, outcome))
      })
      return viewBuild(generation, build)
    },
  ),
})
