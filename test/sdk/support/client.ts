import {
  CiClient,
  type CiClientOptions,
  type CiError,
  fetchTransport,
  isCiError,
  type Transport,
} from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { expect, onTestFinished } from 'vitest'

/** The secret of all tests: it must turn up in nothing that a person or a log sees. */
export const canary = 'bwua_CANARYxBEARERx0123456789abcdefghijklmnop'

export const path = { org_slug: 'acme', pipeline_slug: 'web' }
export const buildPath = { ...path, number: 42 }

/** Each transport of the package, made anew; undici is the client's own. */
export const transports: readonly [string, () => Transport | undefined][] = [
  ['undici', () => undefined],
  ['fetch', () => fetchTransport()],
  ['node:http', () => nodeTransport()],
]

/** A client of a test server that ends with the test. */
export function client(baseUrl: string, options: Partial<CiClientOptions> = {}): CiClient {
  const ci = new CiClient({ baseUrl, auth: canary, random: () => 0.5, ...options })
  onTestFinished(() => ci.close())
  return ci
}

/** The error of ours that a promise is rejected with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<CiError> {
  const error = await Promise.resolve(promise).then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!isCiError(error)) throw error
  return error
}

/** An event that a test waits for. */
export function signalled(): { readonly done: Promise<void>; readonly fire: () => void } {
  let fire = (): void => {}
  const done = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { done, fire }
}

/** A stream as text. */
export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of stream) text += decoder.decode(part, { stream: true })
  return text
}
