import type { ReadyInfo } from '../server/mock-server.js'

/** This machine as lists of hosts without a proxy name it: readers differ about the brackets. */
const loopback = '127.0.0.1,localhost,::1,[::1]'

/**
 * The hosts that a program reaches without a proxy, this machine among them. Programs read one of
 * both names, or the other.
 */
function withoutProxy({ no_proxy = '', NO_PROXY = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const given = [...new Set([no_proxy, NO_PROXY])].filter((hosts) => hosts.trim() !== '')
  const all = given.some((hosts) => hosts.trim() === '*') ? '*' : [...given, loopback].join(',')
  return { no_proxy: all, NO_PROXY: all }
}

type Ready = Pick<ReadyInfo, 'baseUrl' | 'authUrl' | 'webUrl' | 'controlUrl' | 'accessTokens'> & {
  readonly controlToken?: string | undefined
}

/** The variables that lead a program to a server which runs beside it. */
export function childVariables(ready: Ready, env: NodeJS.ProcessEnv): Record<string, string> {
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
