import type { ReadyInfo } from '../server/mock-server.js'

/** This machine in `NO_PROXY`; programs disagree about the brackets of IPv6. */
const loopback = '127.0.0.1,localhost,::1,[::1]'

/**
 * Adds this machine to the hosts without a proxy, under both names, because programs read either.
 */
function withoutProxy({ no_proxy = '', NO_PROXY = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const lists = [...new Set([no_proxy, NO_PROXY])].filter((hosts) => hosts.trim() !== '')
  const all = lists.some((hosts) => hosts.trim() === '*') ? '*' : [...lists, loopback].join(',')
  return { no_proxy: all, NO_PROXY: all }
}

type ServerAddresses = Pick<
  ReadyInfo,
  'baseUrl' | 'authUrl' | 'webUrl' | 'controlUrl' | 'accessTokens'
> & {
  readonly controlToken?: string | undefined
}

/** The environment variables by which a program finds the server that was started for it. */
export function childVariables(
  ready: ServerAddresses,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const { admin } = ready.accessTokens
  return {
    ...withoutProxy(env),
    BUILDWIRE_BASE_URL: ready.baseUrl,
    BUILDWIRE_AUTH_URL: ready.authUrl,
    BUILDWIRE_WEB_URL: ready.webUrl,
    ...(admin === undefined ? {} : { BUILDWIRE_TOKEN: admin }),
    BUILDWIRE_ORG: 'acme',
    BUILDWIRE_CONTROL_URL: ready.controlUrl,
    ...(ready.controlToken === undefined ? {} : { BUILDWIRE_CONTROL_TOKEN: ready.controlToken }),
  }
}
