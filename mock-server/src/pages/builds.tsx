/** @jsxImportSource hono/jsx */
import { recordUrls } from '../http/urls.js'
import type { BuildRecord } from '../store/records.js'
import { notFound, recordPage } from './answer.js'
import { firstLine, shownState } from './build.js'
import { badge, fileId } from './images.js'
import { ago, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { Listing } from './record.js'
import { State } from './state.js'

const perPage = 30

/** `/{org}/{pipeline}`: the pipeline and its builds, newest first. */
export function builds(c: PageRequest): Response {
  const { store, urls, clock } = c.env.sandbox
  const { organization, pipeline, crumbs } = named(c)
  if (!organization || !pipeline) return notFound(c, 'pipeline')
  const { all, counts } = store.state.builds(pipeline.id)
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const number = Math.min(pages, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1))
  const end = all.length - (number - 1) * perPage
  const shown = all.slice(Math.max(0, end - perPage), end).reverse()
  const now = clock.now()
  const here = recordUrls(urls).pipelineWeb(organization.slug, pipeline.slug)
  const step = (to: number, rel: string, text: string) =>
    to < 1 || to > pages ? (
      <span />
    ) : (
      <a class="button" rel={rel} href={`${here}?page=${to}`}>
        {text}
      </a>
    )
  return recordPage(
    c,
    {
      crumbs,
      title: pipeline.name,
      facts: [
        { name: 'Repository', value: <code>{pipeline.repository}</code> },
        { name: 'Default branch', value: <code>{pipeline.default_branch}</code> },
        { name: 'Now', value: `${counts.running_builds_count} running, ${counts.scheduled_builds_count} scheduled` },
      ],
    },
    <>
      <Listing
        title="Builds"
        none="Nothing has been built yet."
        count={all.length}
        items={shown.map((build) => showBuild(c, build, here, now))}
      />
      {pages > 1 ? (
        <nav class="pager" aria-label="Pages">
          {step(number - 1, 'prev', 'Newer')}
          {step(number + 1, 'next', 'Older')}
        </nav>
      ) : null}
    </>,
  )
}

function showBuild(c: PageRequest, build: BuildRecord, here: string, now: number) {
  const duration = took(build.started_at, build.finished_at, now)
  const creator = build.creatorId && c.env.sandbox.store.state.get('users', build.creatorId)?.name
  return (
    <li>
      <State state={shownState(build)} />
      <div class="grow">
        <a class="what" href={`${here}/builds/${build.number}`} dir="auto">
          {firstLine(build.message)}
        </a>
        <p class="sub">
          {`#${build.number} on `}
          <code>{build.branch}</code>
          {creator ? ` by ${creator}` : ''}
        </p>
      </div>
      <div class="aside">{[duration, ago(build.created_at, now)].filter(Boolean).join(' · ')}</div>
    </li>
  )
}

/** `/badges/{pipeline_id}.svg`: how the newest build of the default branch stands. */
export function pipelineBadge(c: PageRequest): Response {
  const { state } = c.env.sandbox.store
  const pipeline = state.get('pipelines', fileId(c))
  const newest = pipeline && state.builds(pipeline.id).run('branch', pipeline.default_branch).at(-1)
  return badge(c, newest ? shownState(newest) : 'unknown')
}
