import { command } from '../context/base-command.js'
import { say } from '../io/printable.js'

export const Command = command({
  summary: 'Show the version',
  examples: ['ci version', 'ci version --json'],
  async execute({ out, io, version }) {
    await out.value({ version, node: io.nodeVersion, platform: io.platform }, () => [say`ci ${version}`])
  },
})
