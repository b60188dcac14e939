import { BUILD_STATES, JOB_STATES, SCOPES } from '@buildwire/sdk/contract'
import { commands, topics } from '../commands/index.js'
import { commandId, type Manifest, type ManifestCommand } from '../help/manifest.js'
import { helpTexts } from '../help/texts.js'
import { fieldPaths, type SchemaName } from '../views/fields.js'
import { describeCommand } from './describe.js'

const RECORDS: readonly SchemaName[] = ['Build', 'TestRecord', 'Pipeline', 'Organization']

/** Makes the manifest from the commands themselves; the build writes it to `oclif.manifest.json`. */
export async function buildManifest(version: string): Promise<Manifest> {
  const described: Record<string, ManifestCommand> = {}
  for (const [name, entry] of Object.entries(commands)) {
    described[commandId(name)] = describeCommand(name, entry, await entry.load())
  }
  const fields: Record<string, readonly string[]> = {}
  for (const record of RECORDS) fields[record] = await fieldPaths(record)
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
