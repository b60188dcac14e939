import type { SocketFault } from './rule.js'

/** An answer that does not arrive as HTTP has it; the door that the request came through plays it. */
export type Fault =
  | { readonly kind: 'networkError' }
  | {
      readonly kind: 'socket'
      readonly socket: SocketFault
      readonly bytesPerSecond: number
      /** The answer that is torn, dripped or spoilt. */
      readonly answer: Response
    }

/**
 * What a door without socket makes of a fault. `networkError` looks as a reset connection does to `fetch`:
 * `cause.code` is ECONNRESET. A socket fault cannot be played here: `code` is `fault_needs_port`.
 */
export class FaultError extends TypeError {
  readonly code: 'ECONNRESET' | 'fault_needs_port'
  readonly fault: Fault

  constructor(fault: Fault) {
    const code = fault.kind === 'networkError' ? 'ECONNRESET' : 'fault_needs_port'
    const message =
      fault.kind === 'networkError'
        ? 'fetch failed'
        : `The socket fault ${fault.socket} needs a port: call listen() and use its URL`
    super(message, { cause: Object.assign(new Error(code === 'ECONNRESET' ? 'read ECONNRESET' : message), { code }) })
    this.name = 'FaultError'
    this.code = code
    this.fault = fault
  }
}
