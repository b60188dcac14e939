import { Pool } from 'undici'
import { atLeast, type BenchmarkRow, inFlight, warmUp } from './measure.js'
import type { Program } from './process.js'

export interface LoadRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A load generator for one server. It keeps its connections and checks each status. */
export class Load {
  readonly #pool: Pool
  constructor(url: string) {
    this.#pool = new Pool(url, { connections: 16 })
  }
  #ask({ method = 'GET', headers = {}, body = '', path }: LoadRequest) {
    return this.#pool.request({ path, method, headers, body: body === '' ? null : body })
  }
  async call(call: LoadRequest): Promise<void> {
    const answer = await this.#ask(call)
    await answer.body.dump({ limit: 64 * 2 ** 20 })
    if (answer.statusCode >= 300)
      throw new Error(`${call.method ?? 'GET'} ${call.path} answered ${answer.statusCode}`)
  }
  /** The bytes of a response's body, since compared responses should have the same size. */
  async bytes(call: LoadRequest): Promise<number> {
    return (await (await this.#ask(call)).body.arrayBuffer()).byteLength
  }
  many(calls: number, of: (index: number) => LoadRequest): () => Promise<void> {
    return () => inFlight(calls, 16, (index) => this.call(of(index)))
  }
  warm(of: (index: number) => LoadRequest): Promise<void> {
    return warmUp(16, (index) => this.call(of(index)))
  }
  close(): Promise<void> {
    return this.#pool.close()
  }
}

export const bearer = ({ ready }: Program) => ({
  authorization: `Bearer ${ready.accessTokens['admin']}`,
})
export const json = { 'content-type': 'application/json' }
export const newBuild = JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'benchmark' })

export const faster = (
  what: string,
  against: string,
  calls: number,
  ours: number,
  theirs: number,
  least: number,
): BenchmarkRow =>
  atLeast({ area: 'server', what, against }, 'requests/s', calls, { ours, theirs }, least)
