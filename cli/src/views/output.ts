import type { GlobalFlagValues, Output } from '../flags/global.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

export type OutputOptions = ReturnType<typeof outputOptions>

type OutputInputs = Pick<GlobalFlagValues, 'output' | 'json' | 'jq'> & {
  /** BUILDWIRE_OUTPUT or the project file, in that order. */
  readonly preferred?: Output | undefined
  readonly isTTY: boolean
}

/**
 * The form of the output: JSON for `--json` and `--jq`, else `-o`, else what is preferred, else by
 * the terminal.
 */
export function outputOptions({ output, json, jq, preferred, isTTY }: OutputInputs) {
  const wantsJson = json !== undefined || jq !== undefined
  if (wantsJson && output !== undefined && output !== 'json' && output !== 'jsonl') {
    throw usageError(
      say`${json === undefined ? '--jq' : '--json'} and --output ${output} exclude each other`,
    )
  }
  const mode: Output = wantsJson
    ? (output ?? 'json')
    : (output ?? preferred ?? (isTTY ? 'table' : 'tsv'))
  /** `--json=help` was asked. */
  const fieldHelp = json === 'help'
  /** The value of `--json=FIELDS`; null for whole objects. */
  const fields = json === undefined || json === '*' || fieldHelp ? null : splitFields(json)
  /** A program reads stdout: nothing but data, warnings and one error line. */
  const machine = mode === 'json' || mode === 'jsonl'
  return { mode, fields, jq: jq ?? null, fieldHelp, machine }
}

function splitFields(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw usageError(say`--json= names no field; --json=help lists them`)
  return names
}
