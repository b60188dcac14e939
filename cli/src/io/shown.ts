import { CommandError } from './command-error.js'
import { say } from './printable.js'

/**
 * Runs what makes a server's record readable. Types that the contract does not know are a fault of the server's answer,
 * not of this program.
 *
 * @throws CommandError `unavailable` for a record that cannot be shown.
 */
export async function shown<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new CommandError('unavailable', say`the server sent a record that cannot be shown`, {
      lines: [say`${cause.message}; --json prints it as it came`],
      cause,
    })
  }
}
