import type { Handlers } from '../request/exchange.js'
import { accessTokenHandlers } from '../routes/access-token.js'
import { attachmentHandlers } from '../routes/attachments.js'
import { buildReadHandlers } from '../routes/builds.js'
import { buildWriteHandlers } from '../routes/builds-write.js'
import { graphqlHandlers } from '../routes/graphql.js'
import { jobHandlers } from '../routes/jobs.js'
import { oauthHandlers } from '../routes/oauth.js'
import { organizationHandlers } from '../routes/organizations.js'
import { testHandlers } from '../routes/tests.js'

export function createHandlers(): Handlers {
  const rest = {
    ...buildReadHandlers,
    ...buildWriteHandlers,
    ...testHandlers,
    ...jobHandlers,
    ...attachmentHandlers,
    ...accessTokenHandlers,
    ...organizationHandlers,
  }
  return { ...rest, ...oauthHandlers, ...graphqlHandlers(rest) }
}
