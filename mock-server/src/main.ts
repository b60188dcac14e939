import { version } from './base/version.js'
import { exitCodes, exitOf } from './program/exit-codes.js'
import { readArguments, type StartFlags } from './program/flags.js'
import { isHealthy } from './program/health.js'
import { createLogger, type Logger } from './program/logger.js'
import { removeReadyFile, writeReadyFile } from './program/ready-file.js'
import { optionsFrom, tlsFrom } from './program/start-options.js'
import { untilStopped } from './program/stop-signals.js'
import { checkSeedFile, printSchema } from './sandbox/seeded-state.js'
import { MockServerHost, type ReadyInfo } from './server/mock-server.js'

export { childVariables } from './program/child-environment.js'
export { seedText } from './sandbox/seeded-state.js'
export { SeedError } from './seed/seed-error.js'

/** Replacements for the parts of the process that the program uses. */
export interface RunOptions {
  /** The name of the calling program in messages; default `ci-mock-server`. */
  readonly as?: string | undefined
  /** Receives the ready information; then no ready line is printed. */
  readonly onReady?: ((info: ReadyInfo) => void) | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly stdin?: NodeJS.ReadableStream | undefined
  readonly stdout?: NodeJS.WriteStream | undefined
  readonly stderr?: NodeJS.WriteStream | undefined
  /** Stops the server as a signal does. */
  readonly signal?: AbortSignal | undefined
}

interface Streams {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/**
 * Runs the program `ci-mock-server`.
 *
 * @param argv Arguments without `node` and script.
 * @returns The exit code: 0, 1, 2, 3, 70, 78, or 128 + n for a signal that cut the drain short.
 * @example
 * process.exitCode = await run(['--port', '0', '--seed', 'demo'])
 */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<number> {
  const {
    as: name = 'ci-mock-server',
    env = process.env,
    stdin = process.stdin,
    stdout = process.stdout,
    stderr = process.stderr,
  } = options
  const streams: Streams = { env, stdin, stdout, stderr }
  try {
    const request = readArguments(argv, streams.env, { name, version })
    if (request.command === 'start') return await start(request.flags, streams, options)
    if (request.command === 'prove') {
      const { prove } = await import('./program/prove.js')
      return await prove(request.flags, `${name} prove`, streams)
    }
    if (request.command === 'health')
      return (await isHealthy(request.flags)) ? exitCodes.ok : exitCodes.negative
    if (request.command === 'seedCheck') print(stderr, await checkSeedFile(request.file))
    else print(stdout, request.command === 'seedSchema' ? printSchema() : request.text)
    return exitCodes.ok
  } catch (error) {
    const { code, text } = exitOf(error)
    print(stderr, `${name}: ${text}\n`)
    return code
  }
}

async function start(flags: StartFlags, streams: Streams, options: RunOptions): Promise<number> {
  const { stdout, stderr } = streams
  const logger = await createLogger(flags.log ?? (stderr.isTTY ? 'pretty' : 'json'), stderr)
  const host = new MockServerHost({
    ...optionsFrom(flags, logger.log),
    droppedLogLines: () => logger.dropped,
  })
  const stopped = untilStopped(
    flags.exitWithStdin === true ? streams.stdin : undefined,
    options.signal,
  )
  try {
    await host.listen({ host: flags.host, port: flags.port, tls: tlsFrom(flags) }, true)
    const info = await Promise.race([host.ready(), stopped.first])
    if (info !== undefined)
      await announce(info, flags, { stdout, stderr, logger, onReady: options.onReady })
    await stopped.first
    logger.log({ level: 'info', msg: 'stopping' })
    const cut = stopped.second.then(() => host.cutDrain())
    await host.close(flags.drainMs)
    void cut
    return stopped.exitCode()
  } catch (error) {
    await host.close()
    throw error
  } finally {
    const disposed = stopped.dispose()
    if (flags.readyFile !== undefined) await removeReadyFile(flags.readyFile)
    await logger.flush()
    await disposed
  }
}

const IN_MEMORY = 'state lives in memory and ends with the process; --data-dir keeps it'

interface ReadyReceivers {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly logger: Logger
  readonly onReady: RunOptions['onReady']
}

async function announce(
  info: ReadyInfo,
  flags: StartFlags,
  { stdout, stderr, logger, onReady }: ReadyReceivers,
): Promise<void> {
  if (flags.readyFile !== undefined) await writeReadyFile(flags.readyFile, info)
  const isForPeople = stdout.isTTY && flags.json !== true
  // On a terminal the text for people says the same.
  if (!isForPeople || !stderr.isTTY) {
    const { port, seed, seeded } = info
    logger.log({ level: 'info', msg: 'ready', port, seed, seeded })
    if (!info.durable) logger.log({ level: 'info', msg: 'notice', notice: IN_MEMORY })
  }
  if (onReady) {
    onReady(info)
    return
  }

  print(stdout, isForPeople ? textOf(info) : `${JSON.stringify(info)}\n`)
}

/** Writes a text, and ignores that the reader has closed its end, as `| head` does. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.on('error', () => undefined).write(text)
}

/** The ready information as text for people. */
function textOf(info: ReadyInfo): string {
  const { baseUrl, webUrl, controlToken, accessTokens, seed, durable } = info
  const tokens = Object.entries(accessTokens).map(([name, value]) => `  token ${name}  ${value}\n`)
  const control = controlToken === undefined ? '' : `  control token  ${controlToken}\n`
  const kept = durable ? '' : ', in memory: --data-dir keeps its state'
  return `Ready at ${baseUrl} (seed ${seed}${kept})\n  pages  ${webUrl}/\n${tokens.join('')}${control}`
}
