import type { Place } from '../reach.js'
import { buildRecord, pageAnswer } from '../records.js'
import { tool } from '../tool.js'

const slug = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }

/** `list_builds` */
export const listBuilds = tool({
  name: 'list_builds',
  description:
    'Builds, newest first, without their jobs. With org_slug alone: of the organization. With neither: of the pipeline of the directory, else of all.',
  effect: 'reads',
  operation: 'builds.list',
  own: { org_slug: slug, pipeline_slug: slug },
  takes: ['branch', 'commit', 'state', 'creator', 'meta_data', 'created_from', 'created_to', 'page', 'per_page'],
  async call({ org_slug: org, pipeline_slug: pipeline, ...filters }, { ci, signal, reach }) {
    const place = await reach.widest({ org_slug: org, pipeline_slug: pipeline } as Place)
    const { org_slug, pipeline_slug } = place
    const query = { per_page: 20, ...filters, exclude_jobs: true }
    const page = await (org_slug === undefined
      ? ci.builds.list(query, { signal })
      : pipeline_slug === undefined
        ? ci.builds.listForOrganization({ ...query, org_slug }, { signal })
        : ci.builds.listForPipeline({ ...query, org_slug, pipeline_slug, exclude_pipeline: true }, { signal }))
    return pageAnswer('builds', page, query.page, (build) => buildRecord(build, place))
  },
})
