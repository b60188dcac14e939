import type { GlobalFlagValues, Output } from '../flags/global.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

export interface OutputOptions {
  readonly mode: Output
  /** The value of `--json=FIELDS`; null for whole objects. */
  readonly fields: readonly string[] | null
  readonly jq: string | null
  /** `--json=help` was asked. */
  readonly fieldHelp: boolean
  /** A program reads stdout: nothing but data, warnings and one error line. */
  readonly machine: boolean
}

type OutputInputs = Pick<GlobalFlagValues, 'output' | 'json' | 'jq'> & {
  /** BUILDWIRE_OUTPUT or the project file, in that order. */
  readonly preferred?: Output | undefined
  readonly isTTY: boolean
}

/**
 * Decides the form of the output: `--json` and `--jq` mean JSON, then `-o`, then what is preferred, then a table on a
 * terminal and tab-separated lines elsewhere.
 */
export function outputOptions({ output, json, jq, preferred, isTTY }: OutputInputs): OutputOptions {
  const wantsJson = json !== undefined || jq !== undefined
  if (wantsJson && output !== undefined && output !== 'json' && output !== 'jsonl') {
    throw usageError(say`${json === undefined ? '--jq' : '--json'} and --output ${output} exclude each other`)
  }
  const mode = wantsJson ? (output ?? 'json') : (output ?? preferred ?? (isTTY ? 'table' : 'tsv'))
  const fieldHelp = json === 'help'
  const fields = json === undefined || json === '*' || fieldHelp ? null : splitFields(json)
  return { mode, fields, jq: jq ?? null, fieldHelp, machine: mode === 'json' || mode === 'jsonl' }
}

function splitFields(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw usageError(say`--json= names no field; --json=help lists them`)
  return names
}
