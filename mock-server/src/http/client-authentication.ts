import { digest } from '../base/digest.js'
import type { PresentedClient } from '../domain/client.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, formDecode } from '../domain/json.js'
import type { Form } from './form.js'

/**
 * Reads HTTP Basic credentials (RFC 6749 §2.3.1): base64, split at the first colon, both parts
 * form-decoded. Undefined if they are invalid.
 */
export function readBasic(header: string) {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const text = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'), true)
  const at = text?.indexOf(':') ?? -1
  if (text === undefined || at < 0) return undefined
  const client_id = formDecode(text.slice(0, at))
  const client_secret = formDecode(text.slice(at + 1))
  if (client_id === undefined || client_secret === undefined) return undefined
  return { client_id, client_secret }
}

function twoMethods() {
  return refuse('invalid_request', 'Use one client authentication method')
}

/** Finds the credentials of a client and their method, without checking them. */
export function readClient(
  form: Form,
  authorization: readonly string[],
): Decision<PresentedClient> {
  const [header] = authorization
  const secret = form.get('client_secret')
  const methods =
    authorization.length + Number(secret !== undefined) + Number(form.has('client_assertion'))
  if (methods > 1) return twoMethods()
  const client_id = form.get('client_id')
  if (header !== undefined) {
    const basic = readBasic(header)
    if (basic === undefined) return accept({ client_id, method: 'unreadable', secretDigest: null })
    if (client_id !== undefined && client_id !== basic.client_id) return twoMethods()
    return accept(presentSecret(basic.client_id, basic.client_secret))
  }
  if (form.has('client_assertion'))
    return accept({ client_id, method: 'assertion', secretDigest: null })
  if (client_id === undefined) return refuse('invalid_request', 'Missing parameter: client_id')
  return accept(presentSecret(client_id, secret ?? ''))
}

function presentSecret(client_id: string, secret: string): PresentedClient {
  return secret === ''
    ? { client_id, method: 'none', secretDigest: null }
    : { client_id, method: 'secret', secretDigest: digest(secret) }
}
