import { html } from 'hono/html'
import { grantEnd } from '../domain/access-token.js'
import { endGrant } from '../grants/approval.js'
import type { GrantRecord } from '../records/records.js'
import { problem, recordPage } from './answer.js'
import { decided, formToken, toLogin } from './login.js'
import { ago, moment } from './moments.js'
import { currentLogin, type Login, type PageRequest } from './page-context.js'
import { actions, type Child, empty, factList, section } from './record.js'
import { scopeInWords } from './scopes.js'

function about(id: string): string {
  return `grant:${id}`
}

function listPath(c: PageRequest) {
  return `${c.env.sandbox.urls.webUrl}/oauth/authorized_applications`
}

function expiryInWords(c: PageRequest, { id }: GrantRecord): string {
  const { store, clock } = c.env.sandbox
  const tokens = [...store.state.values('accessTokens')].filter((token) => token.grantId === id)
  const expiresAt = grantEnd(tokens, clock.now())
  if (expiresAt === undefined) return 'No live token'
  return expiresAt === null ? 'No expiry' : moment(expiresAt)
}

/** `GET /oauth/authorized_applications`: the live grants of the user who is logged in. */
export function authorizedApplications(c: PageRequest): Response {
  const login = currentLogin(c)
  if (!login) return toLogin(c)
  const grants = [...c.env.sandbox.store.state.values('grants')]
    .filter(({ userId, revokedAt }) => userId === login.user.id && revokedAt === null)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const lead = 'What may act for you until you revoke it.'
  const none = 'Nothing acts for you. Applications appear here once you connect a device.'
  const content =
    grants.length > 0
      ? grants.map((grant) => showGrant(c, login, grant))
      : html`<section class="card">${empty(none)}</section>`
  return recordPage(c, { title: 'Authorized applications', current: 'applications', lead }, content)
}

function showGrant(c: PageRequest, login: Login, grant: GrantRecord): Child {
  const { store, clock, oauth } = c.env.sandbox
  const lastUsed = oauth.lastUsed.ofGrant(grant)
  const { ip, userAgent, at } = grant.origin
  const title = store.state.get('applications', grant.applicationId)?.name ?? 'Unknown application'
  const beside = store.state.get('organizations', grant.organizationId)?.name
  const content = html`<div class="body">
    ${factList([
      [
        'Permissions',
        html`<ul>${grant.scopes.map((scope) => html`<li>${scopeInWords(scope)}</li>`)}</ul>`,
      ],
      ['Last used', lastUsed === null ? 'never' : ago(lastUsed, clock.now())],
      ['Expiry', expiryInWords(c, grant)],
      ['Approved', `Device, from ${ip}, ${userAgent || 'unknown software'}, ${moment(at)}`],
    ])}
    <form method="post" action="${listPath(c)}/${grant.id}/revoke">
      <input type="hidden" name="form_token" value="${formToken(login, about(grant.id))}"/>
      ${actions({ Revoke: { class: 'danger', 'aria-label': `Revoke ${title}` } })}
    </form>
  </div>`
  return section({ title, beside, id: `grant-${grant.id}` }, content)
}

/** `POST …/{grant}/revoke`: ends the grant with its access tokens and refresh families. */
export async function revokeApplication(c: PageRequest): Promise<Response> {
  const back = { href: listPath(c), text: 'Authorized applications' }
  const { sandbox } = c.env
  const id = c.req.param('id') ?? ''
  const text = 'No application of yours has this address. It may be revoked already.'
  const form = await decided(c, back, (_, { user }) => {
    const grant = sandbox.store.state.get('grants', id)
    const isTheirs = grant?.userId === user.id && grant.revokedAt === null
    return isTheirs ? about(id) : problem(c, 404, 'Nothing to revoke', text, back)
  })
  if (form instanceof Response) return form
  const now = sandbox.clock.now()
  await sandbox.store.update((tx) => {
    const grant = tx.state.get('grants', id)
    if (grant) endGrant(tx, grant, now)
  })
  return c.redirect(listPath(c), 303)
}
