import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { BIN, bareEnv } from './child.js'

type ClientOptions = ConstructorParameters<typeof Client>[1]
type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>

/** The result of a call of a tool. */
interface ToolCallResult {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a record that a test looks into
  readonly record: any
  readonly text: string
}

/** The official client, connected to `ci mcp` in a child process. */
export interface Assistant extends AsyncDisposable {
  readonly client: Client
  readonly pid: number
  readonly stderr: () => string
  call(
    name: string,
    input?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<ToolCallResult>
}

/** Starts `ci mcp` with these flags and connects to it. */
export async function assistant(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  options?: ClientOptions,
): Promise<Assistant> {
  const childEnv = await bareEnv(env)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...flags],
    env: childEnv,
    cwd: childEnv['HOME'] ?? '/',
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
