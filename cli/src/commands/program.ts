import { completionScript, SHELLS } from '../completion/scripts.js'
import { command } from '../context/base-command.js'
import { textArg, textsArg } from '../flags/flags.js'
import { helpOn } from '../help/help.js'
import { usageError } from '../io/command-error.js'
import { bytes } from '../io/machine.js'
import { say } from '../io/printable.js'

export const version = command({
  summary: 'Show the version',
  examples: ['ci version', 'ci version --json'],
  async execute({ out, io, version }) {
    await out.value({ version, node: io.nodeVersion, platform: io.platform }, () => [
      say`ci ${version}`,
    ])
  },
})

export const help = command({
  summary: 'Show help on a command or a subject',
  args: {
    topic: textsArg({
      description: 'A command, or environment, exit-codes, formatting, filters, contexts, scopes',
    }),
  },
  examples: ['ci help exit-codes', 'ci help builds list'],
  async execute(context, { args }) {
    await helpOn(args.topic ?? [], context, context.looks.paint)
  },
})

export const completion = command({
  summary: "Print a shell's completion script",
  description:
    'bash: eval "$(ci completion bash)" in ~/.bashrc. zsh: ci completion zsh > ' +
    '"${fpath[1]}/_ci". fish: ci completion fish > ~/.config/fish/completions/ci.fish.',
  examples: ['ci completion bash', 'ci completion fish'],
  args: { shell: textArg({ description: 'bash, zsh or fish', required: true }) },
  async execute({ io }, { args }) {
    const shell = SHELLS.find((name) => name === args.shell)
    if (shell === undefined)
      throw usageError(say`${JSON.stringify(args.shell)} is none of ${SHELLS.join(', ')}`)
    await io.stdout.write(bytes(completionScript(shell)))
  },
})
