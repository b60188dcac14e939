/** The schema in its own language: small, and real. */
export const schemaText = /* GraphQL */ `
  type Query {
    "The user behind the token."
    viewer: Viewer!
    "A build by \`organization/pipeline/number\`."
    build(slug: ID!): Build
  }

  type Mutation {
    "Cancels a build that is scheduled, running or failing."
    buildCancel(input: BuildCancelInput!): BuildCancelPayload
    "Makes a new build of what another one captured."
    buildRebuild(input: BuildRebuildInput!): BuildRebuildPayload
  }

  input BuildCancelInput {
    clientMutationId: String
    "The build's GraphQL id."
    id: ID!
  }

  input BuildRebuildInput {
    clientMutationId: String
    "The build's GraphQL id."
    id: ID!
  }

  type BuildCancelPayload {
    clientMutationId: String
    build: Build!
  }

  type BuildRebuildPayload {
    clientMutationId: String
    "The build that was asked for again."
    build: Build!
    "The new build."
    rebuild: Build!
  }

  type Viewer {
    id: ID!
    name: String!
    email: String!
    user: User!
  }

  type User {
    id: ID!
    uuid: ID!
    name: String!
    email: String!
  }

  type Pipeline {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
    url: String!
  }

  type Build {
    id: ID!
    uuid: ID!
    number: Int!
    url: String!
    "As in the REST API: scheduled, running, passed …"
    state: String!
    blocked: Boolean!
    cancelReason: String
    message: String
    commit: String!
    branch: String!
    source: String!
    createdAt: String!
    scheduledAt: String!
    startedAt: String
    finishedAt: String
    createdBy: User
    pipeline: Pipeline
    rebuiltFrom: RebuiltFrom
  }

  type RebuiltFrom {
    uuid: ID!
    number: Int!
  }
`
