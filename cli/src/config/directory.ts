import { chmod } from 'node:fs/promises'
import { CommandError, errorCode } from '../io/command-error.js'
import { variable } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import { openMode } from './json-file.js'
import { paths } from './paths.js'

export interface DirectoryTools {
  readonly io: Parameters<typeof paths>[0]
  readonly notes: Pick<Notes, 'warn'>
}

const OTHERS_WRITE = 0o022

/** Whether other users can write to a directory; false if it does not exist, or on Windows. */
export async function canOthersWrite(path: string, platform: string): Promise<boolean> {
  return (((await openMode(path, platform)) ?? 0) & OTHERS_WRITE) !== 0
}

/**
 * The directory of the configuration, before a file in it is read or written: a user who can write
 * there decides where tokens are sent. The default directory is narrowed, and a given one, whose
 * mode is not ours to change, is refused.
 *
 * @throws CommandError `configuration`
 */
export async function openDirectory({ io, notes }: DirectoryTools): Promise<string> {
  const { config } = paths(io)
  const mode = await openMode(config, io.platform)
  if (mode === null) return config

  const isOpenToWrites = (mode & OTHERS_WRITE) !== 0
  if (variable(io, 'CONFIG_DIR') !== undefined) {
    if (!isOpenToWrites) return config
    throw new CommandError('configuration', say`${config} can be written by other users`, {
      lines: [say`BUILDWIRE_CONFIG_DIR must be a directory that only you can write to: chmod go-w`],
    })
  }

  try {
    await chmod(config, 0o700)
    notes.warn(say`${config} was open to other users; now only you can use it`)
  } catch (cause) {
    if (!isOpenToWrites) return config
    const headline = say`${config} can be written by other users and cannot be narrowed (${errorCode(cause)})`
    throw new CommandError('configuration', headline, { cause })
  }
  return config
}
