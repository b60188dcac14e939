import type { Subject } from '../../rules/match.js'

export interface LoggedMessage {
  /** Names in lower case, in the order sent; secrets are stand-ins. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body, cut at the log's limit; null when there was none. */
  readonly body: string | null
}

/** One request and its answer, with every secret replaced by `[redacted:…]`. */
export interface RequestEntry {
  /** The answer's `X-Request-Id`. */
  readonly id: string
  /** When it came, on the sandbox clock. */
  readonly at: string
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number | null
  /** Host time; of a request that is still being answered, so far. */
  readonly durationMs: number
  readonly ip: string
  /** E-mail address of the user that the token acts as. */
  readonly user: string | null
  readonly client_id: string | null
  readonly accessTokenId: string | null
  readonly ruleId: string | null
  /** Why it was refused, where the answer must not say. */
  readonly detail: string | null
  /** `pending`: still being answered. What is not known yet, such as a body that nobody has read, is null. */
  readonly outcome: 'pending' | 'answered' | 'aborted' | 'faulted'
  /** No route, wrong method, or refused by the reader of its query or body. */
  readonly unexpected: boolean
  readonly request: LoggedMessage
  readonly response: LoggedMessage | null
}

/** An entry and what matching needs beside it. */
export interface Logged {
  readonly entry: RequestEntry
  readonly facts: EntryFacts
}

/** What matching needs beside the entry; kept with it. */
export interface EntryFacts extends Pick<Subject, 'query' | 'json' | 'form' | 'org_slug' | 'pipeline_slug' | 'number'> {
  /** What the bodies take of the log's size. */
  readonly bodyBytes: number
}
