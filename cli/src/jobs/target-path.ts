import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** Names that are devices on Windows, whatever stands behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu
const MAX_NAME_BYTES = 255

/**
 * The names of an artifact's place below the target folder, its own last.
 *
 * @throws CommandError `unavailable` for a path that leads out of the folder, or that is no path of a file.
 */
export function targetNames(path: string, platform: string): readonly string[] {
  // Both slashes: what one system takes for a name is a way out on another.
  const names = path.split(/[/\\]/u)
  const why = names.map((name) => reasonAgainst(name, platform)).find((reason) => reason !== null)
  if (why !== undefined) throw refusedPath(path, why)
  return names
}

/** An artifact that is not written. */
export function refusedPath(path: string, why: string): CommandError {
  return new CommandError('unavailable', say`the artifact ${JSON.stringify(path)} was not written: ${why}`)
}

function reasonAgainst(name: string, platform: string): string | null {
  if (name === '') return 'its path is absolute or has an empty part'
  if (name === '.' || name === '..') return 'its path leads out of the folder'
  if (/[\u0000-\u001f\u007f]/u.test(name)) return 'its path has a control character'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'a part of its path is too long for a name'
  if (platform !== 'win32') return null
  if (DEVICE.test(name)) return 'a part of its path is the name of a device'
  return /[<>:"|?*]|[. ]$/u.test(name) ? 'a part of its path is no name on this system' : null
}
