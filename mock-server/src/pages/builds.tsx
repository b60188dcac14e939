/** @jsxImportSource hono/jsx */
import { type BuildFilter, queryBuilds } from '../domain/build-query.js'
import { recordUrls } from '../present/urls.js'
import type { BuildRecord } from '../records/records.js'
import { notFound, recordPage } from './answer.js'
import { firstLine, shownState } from './build.js'
import { badge, fileId } from './images.js'
import { ago, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { LinkRow, Section } from './record.js'

const perPage = 30
/** What the list shows unless the address says otherwise: the API's own filters, at rest. */
const everything: BuildFilter = {
  branch: [],
  commit: [],
  state: [],
  creator: null,
  created_from: null,
  created_to: null,
  finished_from: null,
  meta_data: new Map(),
  include_paused: true,
  include_retried_jobs: false,
}
const states = ['running', 'scheduled', 'failing', 'failed', 'passed', 'blocked', 'canceled'] as const

/** `/{org}/{pipeline}`: the pipeline and its builds, newest first. */
export function builds(c: PageRequest): Response {
  const { store, urls, clock } = c.env.sandbox
  const { organization, pipeline, crumbs } = named(c)
  if (!organization || !pipeline) return notFound(c, 'pipeline')
  const scope = store.state.builds(pipeline.id)
  const { branch = '', state = '' } = c.req.query()
  const asked = Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1)
  const filter = { ...everything, branch: branch === '' ? [] : [branch], state: state === '' ? [] : [state] }
  const offset = (asked - 1) * perPage
  const { found, hasMore, total } = queryBuilds([scope], filter, { offset, limit: perPage }, () => false)
  const now = clock.now()
  const kept = { ...(branch && { branch }), ...(state && { state }) }
  const here = recordUrls(urls).pipelineWeb(organization.slug, pipeline.slug)
  const step = (isThere: boolean, to: number, rel: string, text: string) =>
    isThere ? (
      <a class="button" rel={rel} href={`${here}?${new URLSearchParams({ ...kept, page: String(to) })}`}>
        {text}
      </a>
    ) : (
      <span />
    )
  return recordPage(
    c,
    {
      crumbs,
      title: pipeline.name,
      facts: [
        { name: 'Repository', value: <code>{pipeline.repository}</code> },
        { name: 'Default branch', value: <code>{pipeline.default_branch}</code> },
        {
          name: 'Now',
          value: `${scope.counts.running_builds_count} running, ${scope.counts.scheduled_builds_count} scheduled`,
        },
      ],
    },
    <>
      <Section title="Builds" beside={total ?? `${offset + found.length} and more`}>
        <Filters branch={branch} state={state} here={here} />
        {found.length === 0 ? (
          <p class="empty">{branch || state || asked > 1 ? 'No build fits.' : 'Nothing has been built yet.'}</p>
        ) : (
          <ul class="rows">{found.map(({ build }) => showBuild(c, build, here, now))}</ul>
        )}
      </Section>
      {asked > 1 || hasMore ? (
        <nav class="pager" aria-label="Pages">
          {step(asked > 1, asked - 1, 'prev', 'Newer')}
          {step(hasMore, asked + 1, 'next', 'Older')}
        </nav>
      ) : null}
    </>,
  )
}

interface FiltersProps {
  readonly branch: string
  readonly state: string
  readonly here: string
}

/** What the list is narrowed to stands in the address, so that it can be passed on. */
const Filters = ({ branch, state, here }: FiltersProps) => (
  <form class="filters" method="get" action={here}>
    <label class="field">
      Branch, or a pattern such as release/*
      <input type="text" name="branch" value={branch} />
    </label>
    <label class="field">
      State
      <select name="state">
        <option value="">Any</option>
        {states.map((name) => (
          <option value={name} selected={name === state}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <button type="submit">Show</button>
  </form>
)

function showBuild(c: PageRequest, build: BuildRecord, here: string, now: number) {
  const duration = took(build.started_at, build.finished_at, now)
  const creator = build.creatorId && c.env.sandbox.store.state.get('users', build.creatorId)?.name
  return LinkRow({
    state: shownState(build),
    href: `${here}/builds/${build.number}`,
    text: firstLine(build.message),
    sub: (
      <>
        {`#${build.number} on `}
        <code>{build.branch}</code>
        {creator ? ` by ${creator}` : ''}
      </>
    ),
    aside: [duration, ago(build.created_at, now)].filter(Boolean).join(' · '),
  })
}

/** `/badges/{pipeline_id}.svg`: how the newest build of the default branch stands. */
export function pipelineBadge(c: PageRequest): Response {
  const { state } = c.env.sandbox.store
  const pipeline = state.get('pipelines', fileId(c))
  const newest = pipeline && state.builds(pipeline.id).run('branch', pipeline.default_branch).at(-1)
  return badge(c, newest ? shownState(newest) : 'unknown')
}
