import { VirtualClock } from '@buildwire/mock-server'
import { CiClient } from '@buildwire/sdk'
import type { Context } from '../../../cli/src/context/context.js'
import type { Clock } from '../../../cli/src/io/clock.js'
import { createRedactor } from '../../../cli/src/io/redact.js'
import { cleaned } from '../../../cli/src/mcp/answer.js'
import { guard } from '../../../cli/src/mcp/guard.js'
import { reachOf } from '../../../cli/src/mcp/reach.js'
import type { Tool } from '../../../cli/src/mcp/tool.js'

export interface ToolCallOptions {
  readonly baseUrl: string
  /** Text that the server masks. */
  readonly secret: string
  /** Whether the server is pinned to the pipeline acme/web. */
  readonly pinned: boolean
  readonly maxBytes: number
  readonly clock: Clock
  /** Called for each text that the tool cleans. */
  readonly onText: (text: string) => void
  readonly onProgress: (message: string) => void
}

/** Calls a tool of `ci mcp` in this process, without the protocol, and returns its record. */
export async function callTool(
  tool: Tool,
  input: object,
  {
    baseUrl,
    secret,
    pinned = false,
    maxBytes = 32_768,
    clock = new VirtualClock(),
    onText = () => undefined,
    onProgress = () => undefined,
  }: Pick<ToolCallOptions, 'baseUrl' | 'secret'> & Partial<ToolCallOptions>,
) {
  const redactor = createRedactor()
  redactor.add(secret)
  const path = { org_slug: 'acme', pipeline_slug: 'web' }
  const context = {
    settings: async () => ({ baseUrl: { value: baseUrl, source: 'test' } }),
    target: { pipeline: async () => path },
  } as unknown as Context
  const flags = { org: undefined, pipeline: pinned ? path : undefined }
  const reach = reachOf(context, flags)
  const middleware = [guard(reach, redactor)]
  const ci = new CiClient({ baseUrl, auth: 'token', middleware, maxRetries: 0 })
  const clean = (text: string) => {
    onText(text)
    return cleaned(text, redactor)
  }
  const { signal } = new AbortController()
  const progress = async (message: string) => onProgress(message)
  const call = { ci, signal, reach, maxBytes, clock, clean, progress }
  const { record } = await tool.call(input, call)
  // biome-ignore lint/suspicious/noExplicitAny: a record that a test looks into
  return record as any
}
