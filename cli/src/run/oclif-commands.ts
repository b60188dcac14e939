import { commandClass, commands } from '../commands/index.js'
import { commandId } from '../help/manifest.js'

const all = Object.entries(commands).map(async ([name, entry]) => [
  commandId(name),
  await commandClass(name, entry),
])

/** The commands by their ids, for oclif's own runner; ours loads one at a time. */
export const COMMANDS = Object.fromEntries(await Promise.all(all))
