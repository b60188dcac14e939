export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** The script of a shell. It calls `ci __complete` and inserts the candidates quoted. */
export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]
}

// For bash 3.2, which macOS has: no mapfile, no negative index, no compopt.
const bash = `_ci_complete() {
  local line word prefix i cut
  local -a words=() candidates=()
  # COMP_WORDBREAKS splits at = and :, so words are taken from the line as the shell would read it.
  word="\${COMP_WORDS[COMP_CWORD]}"
  cut="\${COMP_LINE:0:COMP_POINT}"
  read -r -a words <<< "$cut"
  [[ "$cut" == *[[:space:]] ]] && words+=("")
  while IFS= read -r line; do
    candidates+=("$line")
  done < <("\${words[0]}" __complete bash "\${words[@]:1}" 2>/dev/null)
  prefix="\${words[\${#words[@]}-1]}"
  # Readline replaces only what follows the last word break.
  if [[ "$prefix" == *[=:]* ]]; then
    prefix="\${prefix%"\${prefix##*[=:]}"}"
  else
    prefix=""
  fi
  COMPREPLY=()
  for i in "\${!candidates[@]}"; do
    line="\${candidates[i]#"$prefix"}"
    COMPREPLY+=("$(printf '%q' "$line")")
  done
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *, ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _ci_complete ci ci-cli
`

const zsh = `#compdef ci ci-cli
_ci() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "\${(@)candidates:#}"
}
if [ "\${funcstack[1]}" = "_ci" ]; then
  _ci "$@"
else
  compdef _ci ci ci-cli
fi
`

const fish = `function __ci_complete
    set -l words (commandline -opc) (commandline -ct)
    command $words[1] __complete fish $words[2..-1] 2>/dev/null
end
complete -c ci -f -a '(__ci_complete)'
complete -c ci-cli -f -a '(__ci_complete)'
`
