import { digest } from '../base/digest.js'
import type { PresentedClient } from '../domain/client.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, formDecode } from '../domain/json.js'
import type { Form } from './form.js'

/**
 * HTTP Basic of RFC 6749 §2.3.1: base64, split at the first colon, both halves form-decoded; else
 * undefined.
 */
export function readBasic(header: string) {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const text = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'), true)
  const at = text?.indexOf(':') ?? -1
  const [client_id, client_secret] =
    text === undefined || at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)].map(formDecode)
  return client_id === undefined || client_secret === undefined
    ? undefined
    : { client_id, client_secret }
}

function twoMethods() {
  return refuse('invalid_request', 'Use one client authentication method')
}

/** Finds the one method by which a request authenticates its client, without judging it. */
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
