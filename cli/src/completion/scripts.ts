export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** The script of a shell. It calls `ci __complete` and inserts the candidates quoted. */
export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]
}

// For bash 3.2, which macOS has: no mapfile, no negative index, no compopt. The program reads the
// words of the line, because COMP_WORDS is split at = and : and keeps quotes.
const bash = `_ci_complete() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <("$1" __complete bash "$2" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _ci_complete ci ci-cli
`

// PREFIX is the word up to the cursor, without a quote that is open.
const zsh = `#compdef ci ci-cli
_ci() {
  local -a before candidates
  before=("\${(@Q)words[1,CURRENT-1]}")
  candidates=("\${(@f)$("$before[1]" __complete zsh "\${(@)before[2,-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  compadd -- "\${(@)candidates:#}"
}
if [ "\${funcstack[1]}" = "_ci" ]; then
  _ci "$@"
else
  compdef _ci ci ci-cli
fi
`

const fish = `function __ci_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l word $typed
    # A quote that is open has no end yet.
    for end in '' '"' "'"
        set word (string unescape -- "$typed$end")
        and break
    end
    command $before[1] __complete fish $before[2..-1] "$word" 2>/dev/null
end
complete -c ci -f -a '(__ci_complete)'
complete -c ci-cli -f -a '(__ci_complete)'
`
