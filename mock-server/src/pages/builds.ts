import { html } from 'hono/html'
import { type BuildFilter, queryBuilds } from '../domain/build-query.js'
import type { BuildRecord } from '../records/records.js'
import { notFound, recordPage } from './answer.js'
import { firstLine, shownState } from './build.js'
import { ago, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { type Child, code, empty, row, section } from './record.js'

const perPage = 30
/** The API's filters, none of them set. */
const noFilter: BuildFilter = {
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

const states = ['running', 'scheduled', 'failing', 'failed', 'passed', 'blocked', 'canceled']

/** `/{org}/{pipeline}`: the pipeline and its builds, newest first. */
export function builds(c: PageRequest): Response {
  const { organization, pipeline, crumbs, state: stored, web, now } = named(c)
  if (!organization || !pipeline) return notFound(c, 'pipeline')
  const scope = stored.builds(pipeline.id)
  const { branch = '', state = '', page = '1' } = c.req.query()
  const pageNumber = Math.max(1, Number.parseInt(page, 10) || 1)
  const filter = {
    ...noFilter,
    branch: branch === '' ? [] : [branch],
    state: state === '' ? [] : [state],
  }
  const offset = (pageNumber - 1) * perPage
  const slice = { offset, limit: perPage }
  const { found, hasMore, total } = queryBuilds([scope], filter, slice, () => false)
  const search = { ...(branch && { branch }), ...(state && { state }) }
  const here = web.pipelineWeb(organization.slug, pipeline.slug)
  const step = (to: number, rel: string, text: string): Child => {
    const href = `${here}?${new URLSearchParams({ ...search, page: String(to) })}`
    return html`<a class="button" rel="${rel}" href="${href}">${text}</a>`
  }
  const newer = pageNumber > 1 ? step(pageNumber - 1, 'prev', 'Newer') : html`<span></span>`
  const older = hasMore ? step(pageNumber + 1, 'next', 'Older') : html`<span></span>`
  const none = branch || state || pageNumber > 1 ? 'No build fits.' : 'Nothing has been built yet.'
  const rows = found.map(({ build }) => {
    const creator = build.creatorId && stored.get('users', build.creatorId)?.name
    return buildRow(build, here, creator, now)
  })
  const list = html`${filters(here, branch, state)}
    ${rows.length === 0 ? empty(none) : html`<ul class="rows">${rows}</ul>`}`
  const counts = scope.counts
  return recordPage(
    c,
    {
      crumbs,
      title: pipeline.name,
      facts: [
        ['Repository', code(pipeline.repository)],
        ['Default branch', code(pipeline.default_branch)],
        [
          'Now',
          `${counts.running_builds_count} running, ${counts.scheduled_builds_count} scheduled`,
        ],
      ],
    },
    [
      section({ title: 'Builds', beside: total ?? `${offset + found.length} and more` }, list),
      (pageNumber > 1 || hasMore) &&
        html`<nav class="pager" aria-label="Pages">${newer}${older}</nav>`,
    ],
  )
}

/** The form of the filters. They are in the URL, so that a person can share the list. */
function filters(here: string, branch: string, state: string): Child {
  return html`<form class="filters" method="get" action="${here}">
    <label class="field">Branch, or a pattern such as release/*<input type="text" name="branch" value="${branch}"/></label>
    <label class="field">State<select name="state">
      <option value="">Any</option>
      ${states.map((name) => html`<option value="${name}"${name === state && ' selected'}>${name}</option>`)}
    </select></label>
    <button type="submit">Filter</button>
  </form>`
}

function buildRow(
  build: BuildRecord,
  here: string,
  creator: string | null | undefined,
  now: number,
): Child {
  const duration = took(build.started_at, build.finished_at, now)
  return row({
    state: shownState(build),
    href: `${here}/builds/${build.number}`,
    text: firstLine(build.message),
    sub: html`#${build.number} on ${code(build.branch)}${creator && ` by ${creator}`}`,
    aside: [duration, ago(build.created_at, now)].filter(Boolean).join(' · '),
  })
}
