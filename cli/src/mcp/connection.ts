import { Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Context } from '../context/context.js'
import { CommandError, OutputClosedError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** No client has more to say in one message. */
const LONGEST_MESSAGE = 1024 * 1024

/**
 * Speaks the protocol on stdin and stdout, and resolves when stdin has ended or nobody reads stdout any more.
 *
 * @throws CommandError `rejected` for a message of more than 1 MiB.
 */
export async function connected({ io, notes }: Context, newServer: () => Server): Promise<void> {
  const stdin = io.stdin.stream()
  const stdout = new Writable({
    write: (bytes: Buffer, _, done) => void io.stdout.write(bytes).then(() => done(), done),
  })
  // Every answer that waits for a slow reader listens.
  stdout.setMaxListeners(0)
  let last: Error | undefined
  await new Promise<void>((resolve) => {
    const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: LONGEST_MESSAGE })
    serveStdio(newServer, {
      transport,
      onerror(error) {
        last = error
        notes.debug(say`${error.message}`)
      },
    })
    // The entry has set its own, which ends what is under way.
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  if (stdin.readableEnded || last instanceof OutputClosedError) return
  throw new CommandError('rejected', say`the client broke the protocol: ${last?.message ?? 'it closed the connection'}`)
}
