/** @jsxImportSource hono/jsx */
import type { SandboxContext } from '../context.js'
import { summarizeGrant } from '../domain/grant.js'
import { endGrant } from '../oauth/revocation.js'
import type { AccessTokenRecord, GrantRecord } from '../store/records.js'
import { page, problem } from './answer.js'
import { formToken, formTokenFits, fromOurPages, readForm } from './form.js'
import { mustLogIn, toLogin } from './login.js'
import { ago, moment } from './moments.js'
import { currentLogin, type PageRequest } from './page-context.js'
import { Facts } from './record.js'
import { scopeInWords } from './scopes.js'

const about = (grant: GrantRecord): string => `grant:${grant.id}`

const listPath = (c: PageRequest) => `${c.env.sandbox.urls.webUrl}/oauth/authorized_applications`

const tokensOf = ({ store }: Pick<SandboxContext, 'store'>, grantId: string): AccessTokenRecord[] =>
  [...store.state.values('accessTokens')].filter((token) => token.grantId === grantId)

function expiryInWords(expiresAt: number | null | undefined): string {
  if (expiresAt === undefined) return 'No live token'
  return expiresAt === null ? 'No expiry' : moment(expiresAt)
}

/** `GET /oauth/authorized_applications`: the standing approvals of the person who is logged in. */
export function authorizedApplications(c: PageRequest): Response {
  const login = currentLogin(c)
  if (!login) return toLogin(c)
  const { sandbox } = c.env
  const { state } = sandbox.store
  const now = sandbox.clock.now()
  const grants = [...state.values('grants')]
    .filter(({ userId, revokedAt }) => userId === login.user.id && revokedAt === null)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  return page(
    c,
    { title: 'Authorized applications', current: 'applications' },
    <>
      <div class="head">
        <h1>Authorized applications</h1>
        <p class="lead">What may act for you until you revoke it.</p>
      </div>
      {grants.length === 0 ? (
        <section class="card">
          <p class="empty">Nothing acts for you. Applications appear here once you connect a device.</p>
        </section>
      ) : null}
      {grants.map((grant) => {
        const application = state.get('applications', grant.applicationId)
        const organization = state.get('organizations', grant.organizationId)
        const lastUsed = c.env.lastUsed(grant)
        const { origin } = grant
        const name = application?.name ?? 'Unknown application'
        return (
          <section class="card" aria-labelledby={`grant-${grant.id}`}>
            <header>
              <h2 id={`grant-${grant.id}`}>{name}</h2>
              <p>{organization?.name}</p>
            </header>
            <div class="body">
              <Facts
                facts={[
                  {
                    name: 'Permissions',
                    value: (
                      <ul>
                        {grant.scopes.map((scope) => (
                          <li>{scopeInWords(scope)}</li>
                        ))}
                      </ul>
                    ),
                  },
                  { name: 'Last used', value: lastUsed === null ? 'never' : ago(lastUsed, now) },
                  { name: 'Expiry', value: expiryInWords(summarizeGrant(tokensOf(sandbox, grant.id), now).expiresAt) },
                  {
                    name: 'Approved',
                    value: `Device, from ${origin.ip}, ${origin.userAgent || 'unknown software'}, ${moment(origin.at)}`,
                  },
                ]}
              />
              <form method="post" action={`${listPath(c)}/${grant.id}/revoke`}>
                <input type="hidden" name="form_token" value={formToken(login, about(grant))} />
                <div class="actions">
                  <button class="danger" type="submit" aria-label={`Revoke ${name}`}>
                    Revoke
                  </button>
                </div>
              </form>
            </div>
          </section>
        )
      })}
    </>,
  )
}

/** `POST …/{grant}/revoke`: ends the grant, its access tokens and its refresh families in one turn. */
export async function revokeApplication(c: PageRequest, id: string): Promise<Response> {
  const login = currentLogin(c)
  if (!login) return mustLogIn(c)
  const back = { href: listPath(c), text: 'Authorized applications' }
  if (!fromOurPages(c)) return problem(c, 403, 'Not from here', 'This form was sent from another site.', back)
  const { sandbox } = c.env
  const grant = sandbox.store.state.get('grants', id)
  if (grant?.userId !== login.user.id || grant.revokedAt !== null) {
    return problem(
      c,
      404,
      'Nothing to revoke',
      'No application of yours has this address. It may be revoked already.',
      back,
    )
  }
  const fields = await readForm(c)
  if (!fields) return problem(c, 400, 'Unreadable form', 'The form could not be read, or a field was sent twice.', back)
  if (!formTokenFits(login, about(grant), fields.get('form_token'))) {
    return problem(c, 403, 'This form is not yours', 'Open the page again and decide there.', back)
  }
  const now = sandbox.clock.now()
  await sandbox.store.update((tx) => endGrant(tx, tx.state.get('grants', grant.id) ?? grant, now))
  return c.redirect(listPath(c), 303)
}
