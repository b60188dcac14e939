import { BaseCommand } from '../context/base-command.js'
import type { Context } from '../context/context.js'
import { say } from '../io/printable.js'

/** `ci version` */
export class Version extends BaseCommand<typeof Version> {
  static override summary = 'Show the version'
  static override examples = ['ci version', 'ci version --json']

  protected async execute({ out, io }: Context): Promise<void> {
    const version = this.config.version
    await out.value({ version, node: io.nodeVersion, platform: io.platform }, () => [say`ci ${version}`])
  }
}
