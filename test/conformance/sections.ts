/**
 * The topics of the sections that rows name. A section of a standard has a number and a paragraph.
 */
const topics: Readonly<Record<string, string>> = {
  api: 'The documented API',
  'wire/ground': 'Ground: ids, times, headers, order of checks',
  'wire/builds': 'Builds',
  'wire/jobs': 'Jobs',
  'wire/records': 'Agents, pipelines, users, test records',
  'wire/paging': 'Paging',
  'wire/filters': 'Build filters',
  'wire/depth': 'Listing depth',
  'wire/refusals': 'Refusals',
  'wire/rates': 'Rate limits',
  'wire/scopes': 'Tokens, scopes, rights',
  'wire/oauth': 'OAuth answers',
  'wire/refresh': 'Refresh and revocation',
  'wire/create': 'Create',
  'wire/moves': 'Cancel, rebuild, retry, unblock',
  'wire/tests': 'Finding and labelling tests',
  'wire/logs': 'Job logs',
  'wire/extensions': 'Extension operations',
  'wire/graphql': 'GraphQL',
  'wire/job-lifecycle': 'Lifecycle of jobs',
  'wire/build-lifecycle': 'Lifecycle of builds',
  'wire/leniency': 'Leniency and CORS',
  'oauth/requests': 'OAuth requests',
  'oauth/device': 'Device authorization',
  'oauth/polling': 'Polling',
  'oauth/exchange': 'Token exchange: parameters',
  'oauth/assertions': 'Token exchange: assertion and keys',
  'oauth/claims': 'Token exchange: claims',
  'oauth/lifetimes': 'Scopes, lifetimes, refresh',
  'oauth/bearer': 'Bearer tokens',
  'server/steps': 'Steps and jobs',
  'server/limits': 'Limits',
  'RFC 6749': 'OAuth 2.0',
  'RFC 8628': 'Device authorization grant',
  'RFC 8693': 'Token exchange',
  'RFC 8725': 'JWT best practices',
}

/** The topic of a section, or undefined for an invalid reference. */
export const topicOf = (section: string): string | undefined =>
  topics[section.replace(/ §[\d.]+$/, '')]
