import { type FlagValues, parsedFlags, switchFlag, textFlag, textsFlag } from '../flags/flags.js'
import { parseAssignment } from '../flags/key-value.js'
import { usageError } from '../io/command-error.js'
import { createFileInputs, type FileInputs } from '../io/input.js'
import type { Io } from '../io/io.js'
import { say } from '../io/printable.js'

export const apiFlags = {
  method: textFlag({
    char: 'X',
    helpValue: 'METHOD',
    summary: 'HTTP method (GET; with fields POST)',
  }),
  'raw-field': parsedFlags(parseAssignment, {
    char: 'f',
    helpValue: 'K=V',
    summary: 'Field of the body, as text',
  }),
  field: parsedFlags(parseAssignment, {
    char: 'F',
    helpValue: 'K=V',
    summary: 'Field of the body: true, false, null, integers and @FILE are read as such',
  }),
  header: textsFlag({ char: 'H', helpValue: 'NAME:VALUE', summary: 'Add a header to the request' }),
  input: textFlag({ helpValue: 'FILE|-', summary: 'Read the body from a file or stdin' }),
  include: switchFlag({ char: 'i', summary: 'Print the status and headers too' }),
  paginate: switchFlag({ summary: 'Read all pages and print one array' }),
  silent: switchFlag({ summary: 'Do not print the body' }),
}

export type ApiFlags = FlagValues<typeof apiFlags>

/**
 * The body of the request: the text of `--input`, or an object of the fields; undefined for none.
 */
export async function apiBody(io: Io, flags: ApiFlags): Promise<unknown> {
  const inputs = createFileInputs(io)
  const raw = flags['raw-field'] ?? []
  const typed = flags.field ?? []
  if (flags.input !== undefined) {
    if (raw.length + typed.length > 0)
      throw usageError(say`--input and fields cannot be used together`)
    return inputs.json(flags.input, '--input')
  }
  if (raw.length + typed.length === 0) return undefined
  const entries: [string, unknown][] = raw.map(({ key, value }) => [key, value])
  for (const { key, value } of typed) entries.push([key, await typedValue(inputs, key, value)])
  return Object.fromEntries(entries)
}

async function typedValue(inputs: FileInputs, key: string, value: string): Promise<unknown> {
  if (value === 'true' || value === 'false') return value === 'true'
  if (value === 'null') return null
  if (/^-?(?:0|[1-9]\d*)$/u.test(value)) {
    if (Number.isSafeInteger(Number(value))) return Number(value)
    throw usageError(say`--field: ${key} cannot be an exact number: ${value}`, {
      hint: say`--raw-field sends it as text`,
    })
  }
  return value.startsWith('@') ? inputs.text(value.slice(1), '--field') : value
}

/** Headers of the request; the token's own header cannot be replaced. */
export function apiHeaders(typed: readonly string[] | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of typed ?? []) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/u.exec(line)
    if (match === null) throw usageError(say`a header is written NAME:VALUE`)
    const [, name = '', value = ''] = match
    if (name.toLowerCase() === 'authorization') {
      throw usageError(
        say`Authorization comes from the credential of this run; set BUILDWIRE_TOKEN to use another token`,
      )
    }
    headers[name] = value.trimStart()
  }
  return headers
}
