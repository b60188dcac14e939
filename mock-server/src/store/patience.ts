import { systemClock } from '../base/clock.js'

const heldCodes: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']
const patienceMs = 2_000
const longestPauseMs = 200

/**
 * Runs a file system operation. On Windows it is repeated for up to 2 s while another program, such
 * as a virus scanner, holds the file. On other systems the first error is final.
 *
 * @throws the error of the last attempt
 * @example
 * await patiently(() => rename('state.new', 'state'))
 */
export async function patiently<T>(
  step: () => Promise<T>,
  { platform = process.platform as string, clock = systemClock } = {},
): Promise<T> {
  const until = clock.monotonic() + patienceMs
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await step()
    } catch (error) {
      const isHeld =
        platform === 'win32' && heldCodes.includes((error as NodeJS.ErrnoException).code)
      if (!isHeld || clock.monotonic() + pauseMs > until) throw error
    }
    await clock.sleep(pauseMs)
  }
}
