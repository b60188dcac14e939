/** One line of the server's log: a request, or something that happened to the server itself. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly msg:
    | 'request'
    | 'ready'
    | 'recovered'
    | 'compactionFailed'
    | 'readOnly'
    | 'refused'
    | 'stopping'
    | 'internalError'
    | 'notice'
  readonly [key: string]: unknown
}
