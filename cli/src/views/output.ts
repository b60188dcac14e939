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
 * The form of the output: JSON for `--json` and `--jq`, else `-o`, else `preferred`, else a table on
 * a terminal and tab-separated lines elsewhere.
 */
export function outputOptions({ output, json, jq, preferred, isTTY }: OutputInputs) {
  const wantsJson = json !== undefined || jq !== undefined
  if (wantsJson && output !== undefined && output !== 'json' && output !== 'jsonl') {
    throw usageError(
      say`${json === undefined ? '--jq' : '--json'} and --output ${output} cannot be used together`,
    )
  }
  const usual = preferred ?? (isTTY ? 'table' : 'tsv')
  const mode: Output = output ?? (wantsJson ? 'json' : usual)
  /** `--json=help` was typed. */
  const fieldHelp = json === 'help'
  /** The value of `--json=FIELDS`; null for whole objects. */
  const fields = json === undefined || json === '*' || fieldHelp ? null : splitFields(json)
  /** A program reads stdout: no notes, and an error is one line of JSON. */
  const machine = mode === 'json' || mode === 'jsonl'
  return { mode, fields, jq: jq ?? null, fieldHelp, machine }
}

function splitFields(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw usageError(say`--json= has no field; --json=help lists them`)
  return names
}
