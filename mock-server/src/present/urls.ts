import type { Urls } from '../request/exchange.js'

/**
 * The URLs of all records. No part of a request is in them. Slugs hold only unreserved characters,
 * so nothing is encoded.
 */
export function recordUrls({ baseUrl, webUrl }: Urls) {
  const organization = (slug: string) => `${baseUrl}/v2/organizations/${slug}`
  const pipeline = (org: string, slug: string) => `${organization(org)}/pipelines/${slug}`
  const suiteWeb = (org: string, suite: string) =>
    `${webUrl}/organizations/${org}/analytics/suites/${suite}`
  return {
    organization,
    organizationWeb: (slug: string) => `${webUrl}/${slug}`,
    pipeline,
    pipelineWeb: (org: string, slug: string) => `${webUrl}/${org}/${slug}`,
    build: (org: string, slug: string, number: number) => `${pipeline(org, slug)}/builds/${number}`,
    buildWeb: (org: string, slug: string, number: number) =>
      `${webUrl}/${org}/${slug}/builds/${number}`,
    agent: (org: string, id: string) => `${organization(org)}/agents/${id}`,
    agentWeb: (org: string, id: string) => `${webUrl}/organizations/${org}/agents/${id}`,
    cluster: (org: string, id: string) => `${organization(org)}/clusters/${id}`,
    test: (org: string, suite: string, id: string) =>
      `${baseUrl}/v2/analytics/organizations/${org}/suites/${suite}/tests/${id}`,
    suiteWeb,
    testWeb: (org: string, suite: string, id: string) => `${suiteWeb(org, suite)}/tests/${id}`,
    webhook: (org: string, key: string) => `${webUrl}/organizations/${org}/webhooks/${key}`,
    badge: (pipelineId: string) => `${webUrl}/badges/${pipelineId}.svg`,
    avatar: (userId: string) => `${webUrl}/avatars/${userId}.svg`,
  }
}

export type RecordUrls = ReturnType<typeof recordUrls>

/** The GraphQL id of a record, which names its type: base64 of `Build---<uuid>`. */
export function graphqlId(
  type: 'Build' | 'Job' | 'User' | 'Pipeline' | 'Organization' | 'Agent',
  id: string,
): string {
  return btoa(`${type}---${id}`)
}
