import type { Io } from '../io/io.js'
import { loadServer } from './load.js'
import { runChild } from './run-child.js'

/** Starts a server on a free port, runs a program against it, stops the server, and answers the program's status. */
export async function execWithServer(io: Io, args: readonly string[], command: readonly string[]): Promise<number> {
  const { run, childVariables } = await loadServer()
  let childStatus: Promise<number> | undefined
  const stop = new AbortController()
  const served = run([...args, ...quietly(io, args), '--port', '0'], {
    as: 'ci server',
    env: io.env,
    signal: stop.signal,
    onReady: (ready) => {
      childStatus = runChild(io, command, childVariables(ready, io.env)).finally(() => stop.abort())
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
