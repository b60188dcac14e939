import { sameOrigin } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { currentBranch } from '../context/git/git.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/**
 * The path or URL of the request, with placeholders filled in. Without a slash at its start it is
 * relative to `/v2/`; `graphql` means `/graphql`.
 */
export async function apiPath(context: Context, typed: string): Promise<string> {
  const filled = await fill(context, typed)
  if (/^[a-z][a-z0-9+.-]*:/iu.test(filled)) {
    const { baseUrl } = await context.settings()
    if (!sameOrigin(filled, baseUrl.value)) {
      throw usageError(
        say`${filled} is not on ${baseUrl.value}; ci sends the token to its own server only`,
      )
    }
    return filled
  }
  if (filled.startsWith('//')) throw usageError(say`${JSON.stringify(typed)} names another server`)
  if (filled.startsWith('/')) return filled
  return filled === 'graphql' ? '/graphql' : `/v2/${filled}`
}

async function fill(context: Context, typed: string): Promise<string> {
  const { target } = context
  let path = typed
  const put = (name: string, value: string) => {
    path = path.replaceAll(`{${name}}`, encodeURIComponent(value))
  }
  if (path.includes('{pipeline}')) {
    const pipeline = await target.pipeline()
    target.noteInferred(pipeline)
    put('pipeline', pipeline.pipeline_slug)
    put('org', pipeline.org_slug)
  }
  if (path.includes('{org}')) {
    const organization = await target.organization()
    target.noteInferred(organization)
    put('org', organization.org_slug)
  }
  if (path.includes('{branch}')) {
    const branch = await currentBranch(context.git)
    if (branch === null)
      throw usageError(say`no branch is checked out here to fill in for {branch}`)
    put('branch', branch)
  }
  return path
}
