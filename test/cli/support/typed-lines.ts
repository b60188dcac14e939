import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Shell } from '../../../cli/src/completion/scripts.js'
import { BIN, emptyEnv, start } from './child.js'

const PROMPT = 'ready> '

/** How each shell starts with our completion and nothing else: its arguments, file and content. */
const SHELLS = {
  bash: {
    line: 'bash --noprofile --rcfile "$HOME/.bashrc" -i',
    file: '.bashrc',
    text: `PS1='${PROMPT}'\nsource <(ci completion bash)\n`,
  },
  zsh: {
    line: 'zsh -i',
    file: '.zshrc',
    text: `PROMPT='${PROMPT}'\nautoload -Uz compinit; compinit -u -D\nbindkey -e\nsource <(ci completion zsh)\n`,
  },
  fish: {
    line: 'fish -i',
    file: '.config/fish/config.fish',
    text: `function fish_prompt; printf '${PROMPT}'; end\nset fish_greeting\nci completion fish | source\n`,
  },
}

/**
 * Types lines with tabs in a real shell on a pseudo terminal. Returns the words that each line gave
 * to `ci`, which only records them and answers the completion.
 */
export async function typedLines(
  shell: Shell,
  cwd: string,
  lines: readonly string[],
): Promise<string[][]> {
  const home = await mkdtemp(join(tmpdir(), `ci-${shell}-`))
  const recorded = join(home, 'recorded')
  const { line, file, text } = SHELLS[shell]
  await mkdir(join(home, '.config/fish'), { recursive: true })
  // Without this directory fish reads all manual pages in the background, for a minute.
  await mkdir(join(home, '.local/share/fish/generated_completions'), { recursive: true })
  await writeFile(join(home, file), text)
  await writeFile(join(home, 'ci'), programThatRecords(recorded), { mode: 0o755 })
  await writeFile(recorded, '')

  const env = emptyEnv(home)
  const child = start('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...env, PATH: `${home}:${env.PATH}`, TERM: 'xterm' },
    stdin: 'open',
  })
  onTestFinished(() => void child.process.kill())
  const isAtPrompt = async () => {
    await child.shows(new RegExp(PROMPT, 'u'))
    child.written.stdout = ''
  }
  await isAtPrompt()
  for (const typed of lines) {
    child.process.stdin?.write(`${typed}\r`)
    await isAtPrompt()
  }
  child.process.stdin?.write('exit\r')
  await child.done
  const written = await readFile(recorded, 'utf8')
  return written
    .split('\u0001')
    .slice(0, -1)
    .map((call) => call.split('\u0000').slice(0, -1))
}

function programThatRecords(recorded: string): string {
  return `#!/bin/sh
case "$1" in
  __complete | completion) exec '${process.execPath}' '${BIN}' "$@" ;;
esac
printf '%s\\0' "$@" >> '${recorded}'
printf '\\001' >> '${recorded}'
`
}
