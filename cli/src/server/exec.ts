import type { Io } from '../io/io.js'
import { loadServer, type ServerReady } from './load.js'
import { runChild } from './run-child.js'

/** This machine as lists of hosts without a proxy name it: readers differ about the brackets. */
const LOOPBACK = '127.0.0.1,localhost,::1,[::1]'

/** The hosts that a program reaches without a proxy, this machine among them. Programs read one of both names, or the other. */
function withoutProxy({ no_proxy = '', NO_PROXY = '' }: Io['env']): Record<string, string> {
  const given = [...new Set([no_proxy, NO_PROXY])].filter((hosts) => hosts.trim() !== '')
  const all = given.some((hosts) => hosts.trim() === '*') ? '*' : [...given, LOOPBACK].join(',')
  return { no_proxy: all, NO_PROXY: all }
}

/** The variables that lead a program to the server. */
function serverVariables(ready: ServerReady, env: Io['env']): Record<string, string> {
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

/** Starts a server on a free port, runs a program against it, stops the server, and answers the program's status. */
export async function execWithServer(io: Io, args: readonly string[], command: readonly string[]): Promise<number> {
  const { run } = await loadServer()
  let childStatus: Promise<number> | undefined
  const stop = new AbortController()
  const served = run([...args, ...quietly(io, args), '--port', '0'], {
    env: io.env,
    signal: stop.signal,
    onReady: (ready) => {
      childStatus = runChild(io, command, serverVariables(ready, io.env)).finally(() => stop.abort())
    },
  })
  const code = await served
  return childStatus === undefined ? code : await childStatus
}

/** The program's own output is what counts: the server logs only when it was asked to. */
function quietly(io: Io, args: readonly string[]): string[] {
  const asked = args.some((word) => word === '--log' || word.startsWith('--log='))
  return asked || io.env.BUILDWIRE_MOCK_LOG ? [] : ['--log', 'off']
}
