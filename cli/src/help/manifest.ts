import type { FlagSpec } from '../flags/argv.js'

export interface ManifestFlag extends FlagSpec {
  readonly summary: string
  readonly helpValue?: string | undefined
  readonly helpGroup?: string | undefined
  readonly choices?: readonly string[] | undefined
}

export interface ManifestArg {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly multiple: boolean
}

export interface ManifestCommand {
  /** Words joined by colons, as oclif writes ids. */
  readonly id: string
  readonly summary: string
  readonly description: string | null
  readonly examples: readonly string[]
  readonly flags: Readonly<Record<string, ManifestFlag>>
  readonly args: Readonly<Record<string, ManifestArg>>
  readonly hiddenAliases: readonly string[]
  readonly usage: string | null
  readonly scope: string | null
  readonly operations: readonly string[]
  /** The list of `fields` that `--json=FIELDS` chooses from: a record, or the command itself. */
  readonly record: string | null
  /** Takes words after `--` for another program. */
  readonly tail: boolean
}

/** `oclif.manifest.json`: the description of all commands for help, suggestions and completion. */
export interface Manifest {
  readonly version: string
  readonly commands: Readonly<Record<string, ManifestCommand>>
  readonly topics: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly scopes: readonly string[]
  readonly buildStates: readonly string[]
  readonly jobStates: readonly string[]
  readonly helpTopics: Readonly<Record<string, string>>
}

export function commandName(id: string): string {
  return id.replaceAll(':', ' ')
}

export function commandId(name: string): string {
  return name.replaceAll(' ', ':')
}
