import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { BIN, bareEnv } from './child.js'

type Options = ConstructorParameters<typeof Client>[1]
type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>

/** What a tool answered. */
export interface Answered {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a record that a test looks into
  readonly record: any
  readonly text: string
}

/** A host program's end of `ci mcp`: the official client over a child process. */
export interface Assistant extends AsyncDisposable {
  readonly client: Client
  readonly pid: number
  readonly stderr: () => string
  call(name: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Answered>
}

/** Starts `ci mcp` with these flags and connects to it. */
export async function assistant(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  options?: Options,
): Promise<Assistant> {
  const whole = await bareEnv(env)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...flags],
    env: whole,
    cwd: whole['HOME'] ?? '/',
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (text) => {
    stderr += text
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(transport)
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    async call(name, input = {}, callOptions) {
      const {
        isError = false,
        structuredContent,
        content,
      } = await client.callTool({ name, arguments: input }, callOptions)
      const [part] = content
      const text = part?.type === 'text' ? part.text : ''
      return { isError, record: structuredContent, text }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
