/** @jsxImportSource hono/jsx */

import { recordUrls } from '../http/urls.js'
import type { BuildRecord } from '../store/records.js'
import { notFound, page } from './answer.js'
import { shownState } from './build.js'
import { badge } from './images.js'
import { ago, took } from './moments.js'
import { organizationCrumbs } from './organization.js'
import type { PageRequest } from './page-context.js'
import { RecordView } from './record.js'
import { State } from './state.js'

const perPage = 30

/** `/{org}/{pipeline}`: the pipeline and its builds, newest first. */
export function builds(c: PageRequest, org: string, slug: string): Response {
  const { store, urls, clock } = c.env.sandbox
  const { state } = store
  const organization = state.find('organizationBySlug', org)
  const pipeline = organization && state.find('pipelineBySlug', organization.id, slug)
  if (!organization || !pipeline) return notFound(c, 'pipeline')
  const { all, counts } = state.builds(pipeline.id)
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const number = Math.min(pages, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1))
  const end = all.length - (number - 1) * perPage
  const shown = all.slice(Math.max(0, end - perPage), end).reverse()
  const now = clock.now()
  const here = recordUrls(urls).pipelineWeb(org, slug)
  return page(
    c,
    { title: pipeline.name },
    <RecordView
      crumbs={organizationCrumbs(urls.webUrl, organization)}
      title={pipeline.name}
      facts={[
        { name: 'Repository', value: <code>{pipeline.repository}</code> },
        { name: 'Default branch', value: <code>{pipeline.default_branch}</code> },
        { name: 'Now', value: `${counts.running_builds_count} running, ${counts.scheduled_builds_count} scheduled` },
      ]}
    >
      <section class="card">
        <header>
          <h2>Builds</h2>
          <p>{all.length}</p>
        </header>
        {shown.length === 0 ? (
          <p class="empty">Nothing has been built yet.</p>
        ) : (
          <ul class="rows">
            {shown.map((build) => (
              <Row
                build={build}
                here={here}
                now={now}
                creator={build.creatorId === null ? undefined : state.get('users', build.creatorId)?.name}
              />
            ))}
          </ul>
        )}
      </section>
      {pages > 1 ? (
        <nav class="pager" aria-label="Pages">
          {number > 1 ? (
            <a class="button" rel="prev" href={`${here}?page=${number - 1}`}>
              Newer
            </a>
          ) : (
            <span />
          )}
          {number < pages ? (
            <a class="button" rel="next" href={`${here}?page=${number + 1}`}>
              Older
            </a>
          ) : (
            <span />
          )}
        </nav>
      ) : null}
    </RecordView>,
  )
}

function Row({
  build,
  here,
  now,
  creator,
}: {
  readonly build: BuildRecord
  readonly here: string
  readonly now: number
  readonly creator: string | undefined
}) {
  const duration = took(build.started_at, build.finished_at, now)
  return (
    <li>
      <State state={shownState(build)} />
      <div class="grow">
        <a class="what" href={`${here}/builds/${build.number}`} dir="auto">
          {build.message?.split('\n', 1)[0] || '(no message)'}
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
export function pipelineBadge(c: PageRequest, id: string): Response {
  const { state } = c.env.sandbox.store
  const pipeline = state.get('pipelines', id.toLowerCase())
  const newest = pipeline && state.builds(pipeline.id).run('branch', pipeline.default_branch).at(-1)
  return badge(c, newest ? shownState(newest) : 'unknown')
}
