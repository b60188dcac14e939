import { completionScript, SHELLS } from '../completion/scripts.js'
import { command } from '../context/base-command.js'
import { textArg } from '../flags/flags.js'
import { usageError } from '../io/command-error.js'
import { bytes } from '../io/machine.js'
import { say } from '../io/printable.js'

export const Command = command({
  summary: "Print a shell's completion script",
  description:
    'bash: eval "$(ci completion bash)" in ~/.bashrc. zsh: ci completion zsh > "${fpath[1]}/_ci". fish: ci completion fish > ~/.config/fish/completions/ci.fish.',
  examples: ['ci completion bash', 'ci completion fish'],
  args: { shell: textArg({ description: 'bash, zsh or fish', required: true }) },
  async execute({ io }, { args }) {
    const shell = SHELLS.find((name) => name === args.shell)
    if (shell === undefined) throw usageError(say`${JSON.stringify(args.shell)} is none of ${SHELLS.join(', ')}`)
    await io.stdout.write(bytes(completionScript(shell)))
  },
})
