export type Adapter = Awaited<ReturnType<typeof importAdapter>>

async function importAdapter() {
  const [{ getRequestListener }, { RESPONSE_ALREADY_SENT }] = await Promise.all([
    import('@hono/node-server'),
    import('@hono/node-server/utils/response'),
  ])
  return { getRequestListener, RESPONSE_ALREADY_SENT }
}

let adapter: Promise<Adapter> | undefined

/**
 * Loads hono's adapter for Node. It needs Node's whole Fetch API, which takes as long to load as an
 * empty process to start; so the program does this when its ready line is out, or at the first
 * request.
 */
export function loadAdapter(): Promise<Adapter> {
  adapter ??= importAdapter()
  return adapter
}
