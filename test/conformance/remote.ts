import { probe } from './capabilities.js'
import type { Config } from './config.js'
import { knownTarget, type OpenDoor } from './doors.js'
import { remoteControl } from './remote-control.js'
import { now, seed } from './seed.js'
import type { Target } from './target.js'

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** A server somewhere, known by a configuration; one with a control API gets a sandbox with the kit's own records. */
export async function openRemote(url: string, config: Config): Promise<OpenDoor> {
  const send: Target['send'] = (where, init) => fetch(where, init)
  const baseUrl = withoutSlash(url)
  const { control, organization, ...known } = config
  if (control !== undefined) return openSandbox(baseUrl, withoutSlash(control.url), control.token, send)
  const target: Target = {
    ...known,
    name: baseUrl,
    baseUrl,
    authUrl: withoutSlash(config.authUrl ?? baseUrl),
    webUrl: withoutSlash(config.webUrl ?? baseUrl),
    vendor: config.vendor ?? 'buildwire',
    org: organization,
    send,
  }
  return { target, lacks: await probe(target), close: async () => undefined }
}

async function openSandbox(name: string, url: string, token: string, send: Target['send']): Promise<OpenDoor> {
  const root = remoteControl(url, token)
  const sandbox = await root.sandboxes.create({ seed, clock: { mode: 'frozen', now } })
  const { baseUrl, authUrl, webUrl, accessTokens } = sandbox
  const control = remoteControl(sandbox.controlUrl, token)
  const target = knownTarget({ name, baseUrl, authUrl, webUrl, control, tokens: accessTokens, send })
  return {
    target,
    lacks: await probe(target),
    close: async () => void (await root.sandboxes.delete({ id: sandbox.id })),
  }
}
