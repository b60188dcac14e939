import { BUILD_STATES, JOB_STATES, SCOPES } from '@buildwire/sdk/contract'
import { commands, topics } from '../commands/index.js'
import { commandId, type Manifest, type ManifestCommand } from '../help/manifest.js'
import { helpTexts } from '../help/texts.js'
import { fieldPaths } from '../views/fields.js'
import { describeCommand } from './describe.js'

/** Makes the manifest from the commands themselves; the build writes it to `oclif.manifest.json`. */
export async function buildManifest(version: string): Promise<Manifest> {
  const described: Record<string, ManifestCommand> = {}
  const fields: Record<string, readonly string[]> = {}
  for (const [name, entry] of Object.entries(commands)) {
    const { Command } = await entry.load()
    described[commandId(name)] = describeCommand(name, entry, Command)
    if (Command.record !== undefined) fields[Command.record] ??= await fieldPaths(Command.record)
  }
  return {
    version,
    commands: described,
    topics,
    fields,
    scopes: [...SCOPES],
    buildStates: [...BUILD_STATES],
    jobStates: [...JOB_STATES],
    helpTopics: helpTexts(),
  }
}
