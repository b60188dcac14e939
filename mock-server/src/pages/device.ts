import { html } from 'hono/html'
import {
  awaitsAnswer,
  guessWindowMs,
  lookUpWaitMs,
  normalizeUserCode,
} from '../domain/device-authorization.js'
import { approveDevice, denyDevice } from '../grants/approval.js'
import { findUserCode } from '../oauth/oauth-state.js'
import type {
  ApplicationRecord,
  DeviceAuthorizationRecord,
  OrganizationRecord,
} from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { problem, sheet } from './answer.js'
import { decided, formToken, toLogin } from './login.js'
import { ago } from './moments.js'
import { currentLogin, type Login, type PageRequest } from './page-context.js'
import { actions, attribute, button, factList } from './record.js'
import { scopeInWords } from './scopes.js'

interface DeviceRequest {
  readonly record: DeviceAuthorizationRecord
  readonly application: ApplicationRecord
}

/** The device authorization with this id, in any state, and its application. */
function deviceRequest(state: ReadonlyState, id: string): DeviceRequest | undefined {
  const record = state.get('deviceAuthorizations', id)
  const application = record && state.get('applications', record.applicationId)
  return record && application ? { record, application } : undefined
}

function about(id: string): string {
  return `device:${id}`
}

function devicePath(c: PageRequest) {
  return `${c.env.sandbox.urls.webUrl}/oauth/device`
}

/**
 * Looks up a typed code under the limit of guesses. Returns a page if the limit is reached, or if
 * no pending authorization has this code.
 */
function lookUp(c: PageRequest, login: Login, typed: string): DeviceRequest | Response {
  const { sandbox, ip } = c.env
  const now = sandbox.clock.now()
  const failures = sandbox.oauth.wrongCodes
  for (const [key, times] of failures)
    if (times.every((at) => now - at >= guessWindowMs)) failures.delete(key)
  const keys = [`address:${ip}`, `user:${login.user.id}`]
  const before = keys.map((key) => [key, failures.get(key) ?? []] as const)
  const waitMs = Math.max(...before.map(([, times]) => lookUpWaitMs(times, now)))
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    const text = `Too many codes were wrong. Try again in ${Math.ceil(seconds / 60)} minutes.`
    return problem(c, 429, 'Wait a moment', text, undefined, { 'Retry-After': String(seconds) })
  }
  const { state } = sandbox.store
  const found = deviceRequest(state, findUserCode(state, typed)?.id ?? '')
  const isPending = found && awaitsAnswer(found.record, now) && found.application.enabled
  if (isPending) return found

  for (const [key, times] of before)
    failures.set(key, [...times.filter((at) => now - at < guessWindowMs), now])
  return enterCode(c, typed, 404)
}

/** `GET /oauth/device[/CODE]`: shows the form or the request; it changes no record. */
export function devicePage(c: PageRequest): Response {
  const login = currentLogin(c)
  if (!login) return toLogin(c)
  const typed = c.req.param('code') ?? c.req.query('user_code') ?? ''
  if (typed.trim() === '') return enterCode(c, typed, 200)
  const found = lookUp(c, login, typed)
  return found instanceof Response ? found : review(c, login, found, typed)
}

function enterCode(c: PageRequest, typed: string, status: 200 | 404): Response {
  const failed = status === 404
  const error = html`<p class="notice bad" role="alert" id="code-error">
    This code is not waiting for an answer. It may be mistyped, expired or already answered.
  </p>`
  const content = html`<p class="lead">Enter the code that your device or terminal shows.</p>
    ${failed && error}
    <form method="get" action="${devicePath(c)}">
      <div class="field">
        <label for="user_code">Code</label>
        <input class="code-input" type="text" id="user_code" name="user_code" value="${typed}" placeholder="XXXX-XXXX"
          required maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false"
          ${attribute('aria-invalid', failed ? 'true' : undefined)}
          aria-describedby="${failed ? 'code-error' : 'code-hint'}"/>
        <p class="hint" id="code-hint">
          Eight letters; blanks, dashes and case do not matter. A code lives for ten minutes.
        </p>
      </div>
      ${actions({ Continue: {} })}
    </form>`
  return sheet(c, { title: 'Connect a device', isStep: true }, content, status)
}

function organizationsOf(c: PageRequest, login: Login): readonly OrganizationRecord[] {
  const { state } = c.env.sandbox.store
  return [...state.values('organizations')]
    .filter(({ id }) => state.find('member', id, login.user.id)?.active)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

const approve = { Approve: { name: 'answer', value: 'approve' } }
const deny = { Deny: { class: 'danger', name: 'answer', value: 'deny' } } as const

function review(
  c: PageRequest,
  login: Login,
  { record, application }: DeviceRequest,
  typed: string,
): Response {
  const organizations = organizationsOf(c, login)
  const isMember = organizations.length > 0
  const choice = html`<div class="field">
    <label for="org_slug">In the organization</label>
    <select id="org_slug" name="org_slug">
      ${organizations.map(({ slug, name }) => html`<option value="${slug}">${name} (${slug})</option>`)}
    </select>
    <p class="hint">The application works in this organization only.</p>
  </div>`
  const content = html`
    ${application.description && html`<p class="lead">${application.description}</p>`}
    <p class="user-code">${normalizeUserCode(typed) ?? typed}</p>
    <p class="notice warn">Continue only if you started this on your own device, and it shows this code.</p>
    <h2>It will be able to</h2>
    <ul class="rows">
      ${record.scopes.map(
        (scope) =>
          html`<li><span class="grow">${scopeInWords(scope)}</span><code class="sub">${scope}</code></li>`,
      )}
    </ul>
    ${factList([
      ['Asked from', record.ip],
      ['With', record.userAgent || 'unknown software'],
      ['Asked', ago(record.issuedAt, c.env.sandbox.clock.now())],
    ])}
    ${!isMember && html`<p class="notice bad">You are an active member of no organization, so you can only deny this.</p>`}
    <form method="post" action="${devicePath(c)}">
      <input type="hidden" name="request" value="${record.id}"/>
      <input type="hidden" name="form_token" value="${formToken(login, about(record.id))}"/>
      ${isMember && choice}
      ${actions(isMember ? { ...approve, ...deny } : deny)}
    </form>`
  const title = `Connect ${application.name}`
  return sheet(c, { title, heading: `${title}?`, isStep: true }, content)
}

/** `POST /oauth/device`: a person approves or denies the request. */
export async function decideDevice(c: PageRequest): Promise<Response> {
  const again = { href: devicePath(c), text: 'Enter a code' }
  const refuse = (status: 400 | 403 | 409, title: string, text: string) =>
    problem(c, status, title, text, again)
  const notTheirs = () =>
    refuse(403, 'Not your organization', 'Pick one of the organizations that you belong to.')
  const form = await decided(c, again, (fields) => about(fields.get('request') ?? ''))
  if (form instanceof Response) return form
  const { login, fields } = form
  const { sandbox } = c.env
  const found = deviceRequest(sandbox.store.state, fields.get('request') ?? '')
  const gone = 'This code was answered before or has expired, or its application was disabled.'
  if (!found) return refuse(409, 'Nothing changed', gone)
  const answer = fields.get('answer')
  if (answer !== 'approve' && answer !== 'deny') return refuse(400, 'No answer', 'Approve or deny.')
  const organization = organizationsOf(c, login).find(({ slug }) => slug === fields.get('org_slug'))
  if (answer === 'approve' && !organization) return notTheirs()
  const now = sandbox.clock.now()
  const answered = await sandbox.store.update((tx) => {
    const record = tx.state.get('deviceAuthorizations', found.record.id) ?? found.record
    return organization && answer === 'approve'
      ? approveDevice(
          tx,
          sandbox,
          record,
          { userId: login.user.id, organizationId: organization.id },
          now,
        )
      : denyDevice(tx, record, login.user.id, now)
  })
  if (!answered.ok) {
    if (answered.failure.code === 'forbidden') return notTheirs()
    return refuse(409, 'Nothing changed', gone)
  }
  const notice =
    answer === 'approve'
      ? html`<p class="notice good">You can close this page and go back to your device. It works in ${organization?.name}.</p>`
      : html`<p class="notice">The device is not connected.</p>`
  const way = {
    href: `${sandbox.urls.webUrl}/oauth/authorized_applications`,
    text: 'Authorized applications',
  }
  const titled =
    answer === 'approve'
      ? { title: 'Connected', heading: `${found.application.name} is connected` }
      : { title: 'Denied' }
  return sheet(c, { ...titled, current: 'device' }, [notice, button(way)])
}
