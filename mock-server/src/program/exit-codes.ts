import { SeedError } from '../seed/seed-error.js'
import { StoreError } from '../store/errors.js'

/** Exit codes of the program; `ci` uses the same codes. */
export const exitCodes = {
  ok: 0,
  negative: 1,
  usage: 2,
  unavailable: 3,
  internal: 70,
  configuration: 78,
} as const

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const listenErrors = new Set(
  'EADDRINUSE EACCES EADDRNOTAVAIL ENOTFOUND EAI_AGAIN EINVAL EAFNOSUPPORT'.split(' '),
)

/** The exit code and the message for an error that ended the program. */
export function exitOf(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof SeedError || error instanceof UsageError || error instanceof TypeError) {
    return { code: exitCodes.usage, text: error.message }
  }
  if (error instanceof StoreError) {
    return { code: exitCodes.configuration, text: error.message }
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const isSystemError = error instanceof Error && code !== undefined && syscall !== undefined
  if (isSystemError && listenErrors.has(code)) {
    // The error of a DNS look-up has a hostname and no port.
    const { address, hostname, port } = error as Error & {
      address?: string
      hostname?: string
      port?: number
    }
    const place = [address ?? hostname, port].filter((part) => part !== undefined).join(':')
    const taken =
      code === 'EADDRINUSE' ? '; another program listens there, and --port 0 takes a free port' : ''
    return { code: exitCodes.unavailable, text: `cannot listen on ${place}: ${code}${taken}` }
  }
  return {
    code: exitCodes.internal,
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
