import { isCiError, summarizeFailure } from '@buildwire/sdk'
import type { BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { emojify } from '../io/emoji.js'
import { type Printable, say } from '../io/printable.js'

/**
 * Says that the job of a build that failed first is unstable. Null if it is not, if that is not
 * known, and where a program reads the output.
 */
export async function unstableText(context: Context, path: BuildPath): Promise<Printable | null> {
  const { out, looks, notes, signal } = context
  if (out.machine) return null
  try {
    const options = { problems: 1, logLines: 1, signal }
    const { problems } = await summarizeFailure(await context.ci(), path, options)
    const [first] = problems
    if (first?.origin?.verdict !== 'unstable') return null
    return say`${emojify(first.name, looks.ascii).trim()} is ${first.origin.sentence}`
  } catch (error) {
    if (!isCiError(error)) throw error
    notes.debug(say`whether the job is unstable is not known: ${error.summary}`)
    return null
  }
}
