import type { ConformanceRow } from '../target.js'
import { anyBuildRows } from './any-build.js'
import { anyCreateRows } from './any-create.js'
import { anyExchangeRows } from './any-exchange.js'
import { anyFilterRows } from './any-filters.js'
import { anyListRows } from './any-lists.js'
import { anyMoveRows } from './any-moves.js'
import { anyOAuthRows } from './any-oauth.js'
import { anyTestRows } from './any-tests.js'
import { assertionRows } from './assertions.js'
import { attachmentRows } from './attachments.js'
import { bearerRows } from './bearer.js'
import { buildMoveRows } from './build-moves.js'
import { createRows } from './create.js'
import { derivedFilterRows } from './derived-filters.js'
import { groundRows } from './ground.js'
import { jobLoopRows } from './job-loop.js'
import { lifecycleRows } from './lifecycle.js'
import { limitRows } from './limits.js'
import { listRows } from './lists.js'
import { oauthRows } from './oauth.js'
import { operationRows } from './operations.js'
import { pollingRows } from './polling.js'
import { recordRows } from './records.js'
import { refreshRows } from './refresh.js'
import { testWriteRows } from './test-writes.js'
import { tokenExchangeRows } from './token-exchange.js'
import { writeRows } from './writes.js'

/** Every row. Rows that write come after the rows that expect the records of the seed. */
export const rows: readonly ConformanceRow[] = [
  ...groundRows,
  ...bearerRows,
  ...operationRows,
  ...listRows,
  ...recordRows,
  ...anyListRows,
  ...anyFilterRows,
  ...derivedFilterRows,
  ...anyBuildRows,
  ...anyCreateRows,
  ...anyMoveRows,
  ...anyTestRows,
  ...writeRows,
  ...createRows,
  ...buildMoveRows,
  ...jobLoopRows,
  ...attachmentRows,
  ...lifecycleRows,
  ...testWriteRows,
  ...anyOAuthRows,
  ...anyExchangeRows,
  ...oauthRows,
  ...pollingRows,
  ...refreshRows,
  ...tokenExchangeRows,
  ...assertionRows,
  ...limitRows,
]
