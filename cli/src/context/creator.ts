import type { Build, User } from '@buildwire/sdk/contract'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { Context } from './context.js'
import type { BuildScope } from './target.js'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu
/** A name is looked up among the creators of this many builds: one page. */
const LOOKED_AT = 100
const MAX_NAMES = 10

/**
 * The id of a user: as typed, of the login for `@me`, or of the creator of a recent build whose name
 * or e-mail address was typed. A note says which user a name means.
 */
export async function creatorId(
  context: Context,
  typed: string,
  scope: BuildScope,
): Promise<string> {
  if (UUID.test(typed)) return typed
  const { notes, signal } = context
  const ci = await context.ci()
  if (typed === '@me') return (await ci.user.get({ signal })).id

  const creators = await recentCreators(context, scope)
  const wanted = typed.toLowerCase()
  const isExact = ({ name, email }: User) =>
    [name, email].some((text) => text?.toLowerCase() === wanted)
  const contains = ({ name }: User) => name?.toLowerCase().includes(wanted) === true
  const exact = creators.filter(isExact)
  const matching = exact.length > 0 ? exact : creators.filter(contains)
  const [only] = matching
  if (only !== undefined && matching.length === 1) {
    notes.note(say`Builds of ${describe(only)}`)
    return only.id
  }
  const headline =
    only === undefined
      ? say`none of the newest ${LOOKED_AT} builds was started by ${JSON.stringify(typed)}`
      : say`${matching.length} users are called ${JSON.stringify(typed)}`
  throw usageError(headline, {
    lines: [only === undefined ? say`They were started by:` : say`Name one by its id:`],
    choices: (only === undefined ? creators : matching)
      .slice(0, MAX_NAMES)
      .map((user) => say`${describe(user)}`),
  })
}

function describe({ name, email, id }: User): string {
  return `${name || email || 'a user without a name'} (${id})`
}

/** The users who started the newest builds of the scope, each once. */
async function recentCreators(
  { ci, signal }: Context,
  { org_slug, pipeline_slug }: BuildScope,
): Promise<User[]> {
  const { builds } = await ci()
  const query = { exclude_jobs: true, per_page: LOOKED_AT }
  const call = { signal }
  const firstPage = () => {
    if (org_slug === undefined) return builds.list(query, call)
    if (pipeline_slug === undefined) return builds.listForOrganization({ ...query, org_slug }, call)
    return builds.listForPipeline({ ...query, org_slug, pipeline_slug }, call)
  }
  const { items } = await firstPage()
  const users = items.flatMap(({ creator }) => (isUser(creator) ? [creator] : []))
  return [...new Map(users.map((user) => [user.id, user])).values()]
}

function isUser(creator: Build['creator'] | string): creator is User {
  return typeof creator === 'object' && creator !== null && typeof creator.id === 'string'
}
