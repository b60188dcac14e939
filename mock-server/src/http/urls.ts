import type { Urls } from '../context.js'

/** All URLs of records; none is ever taken from a request. Slugs hold only unreserved characters. */
export interface RecordUrls {
  organization(slug: string): string
  organizationWeb(slug: string): string
  pipeline(organization: string, slug: string): string
  pipelineWeb(organization: string, slug: string): string
  build(organization: string, pipeline: string, number: number): string
  buildWeb(organization: string, pipeline: string, number: number): string
  agent(organization: string, id: string): string
  agentWeb(organization: string, id: string): string
  cluster(organization: string, id: string): string
  test(organization: string, suite: string, id: string): string
  testWeb(organization: string, suite: string, id: string): string
  webhook(organization: string, key: string): string
  badge(pipelineId: string): string
  avatar(userId: string): string
}

export function recordUrls({ baseUrl, webUrl }: Urls): RecordUrls {
  const organization = (slug: string): string => `${baseUrl}/v2/organizations/${slug}`
  const pipeline = (org: string, slug: string): string => `${organization(org)}/pipelines/${slug}`
  return {
    organization,
    organizationWeb: (slug) => `${webUrl}/${slug}`,
    pipeline,
    pipelineWeb: (org, slug) => `${webUrl}/${org}/${slug}`,
    build: (org, slug, number) => `${pipeline(org, slug)}/builds/${number}`,
    buildWeb: (org, slug, number) => `${webUrl}/${org}/${slug}/builds/${number}`,
    agent: (org, id) => `${organization(org)}/agents/${id}`,
    agentWeb: (org, id) => `${webUrl}/organizations/${org}/agents/${id}`,
    cluster: (org, id) => `${organization(org)}/clusters/${id}`,
    test: (org, suite, id) => `${baseUrl}/v2/analytics/organizations/${org}/suites/${suite}/tests/${id}`,
    testWeb: (org, suite, id) => `${webUrl}/organizations/${org}/analytics/suites/${suite}/tests/${id}`,
    webhook: (org, key) => `${webUrl}/organizations/${org}/webhooks/${key}`,
    badge: (pipelineId) => `${webUrl}/badges/${pipelineId}.svg`,
    avatar: (userId) => `${webUrl}/avatars/${userId}.svg`,
  }
}

/** GraphQL ids say which type they name: base64 of `Build---<uuid>`. */
export const graphqlId = (type: 'Build' | 'Job' | 'User' | 'Pipeline' | 'Organization' | 'Agent', id: string): string =>
  btoa(`${type}---${id}`)
