/** The capabilities of a server that a row may need, with their names in reports. */
export const capabilities = {
  seed: 'records of the kit, which need the control API of the reference server',
  writes: 'leave to create builds and change labels (`allowWrites: true`)',
  reader: 'a token with read_builds alone (`tokens.reader`)',
  bare: 'a token without read_builds and write_builds (`tokens.bare`)',
  secondOrganization: 'an organization that the tokens cannot see (`secondOrganization`)',
  suite: 'a test suite with a test record (`suite`)',
  deviceApplication: 'a public application of the device grant (`applications.device`)',
  confidentialApplication:
    'a confidential application of the device grant (`applications.confidential`)',
  exchangeApplication:
    'an application of the token exchange with its key (`applications.exchange`)',
  threeBuilds: 'at least three builds in the pipeline',
  user: 'the operation user.get',
  accessToken: 'the operation accessToken.get',
  organizations: 'the operations organizations.list and organizations.get',
  pipelines: 'the operations pipelines.list and pipelines.get',
  jobLogs: 'the operations jobs.log and jobs.logText, and a job that has a log',
  jobs: 'the operations jobs.get, jobs.retry and jobs.unblock',
  annotations: 'the operations annotations.list and annotations.create',
  artifacts: 'the operations artifacts.list, artifacts.listForJob and artifacts.download',
  graphql: 'the operation graphql',
} as const

export type Capability = keyof typeof capabilities

/** The capabilities that a server lacks, with the reason why the kit thinks so. */
export type Lacks = ReadonlyMap<Capability, string>
