import { completionScript, SHELLS } from '../completion/scripts.js'
import { BaseCommand, type Input } from '../context/base-command.js'
import type { Context } from '../context/context.js'
import { textArg } from '../flags/flags.js'
import { usageError } from '../io/command-error.js'
import { bytes } from '../io/machine.js'
import { say } from '../io/printable.js'

/** `ci completion` */
export class Completion extends BaseCommand<typeof Completion> {
  static override summary = "Print a shell's completion script"
  static override description =
    'bash: eval "$(ci completion bash)" in ~/.bashrc. zsh: ci completion zsh > "${fpath[1]}/_ci". fish: ci completion fish > ~/.config/fish/completions/ci.fish.'
  static override examples = ['ci completion bash', 'ci completion fish']
  static override args = { shell: textArg({ description: 'bash, zsh or fish', required: true }) }

  protected async execute({ io }: Context, { args }: Input<typeof Completion>): Promise<void> {
    const shell = SHELLS.find((name) => name === args.shell)
    if (shell === undefined) throw usageError(say`${JSON.stringify(args.shell)} is none of ${SHELLS.join(', ')}`)
    await io.stdout.write(bytes(completionScript(shell)))
  }
}
