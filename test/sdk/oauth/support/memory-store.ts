import type { TokenStore } from '@buildwire/sdk'

/** A store in memory, with a lock, that a test can break. */
export class MemoryStore implements TokenStore {
  readonly values = new Map<string, string>()
  readonly calls: string[] = []
  readonly lives: number[] = []
  readonly locks: [key: string, ttlMs: number][] = []
  broken: unknown
  #tail: Promise<unknown> = Promise.resolve()

  async get(key: string): Promise<string | null> {
    this.#note('get')
    return this.values.get(key) ?? null
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#note('set')
    this.lives.push(ttlMs)
    this.values.set(key, value)
  }

  async delete(key: string): Promise<void> {
    this.#note('delete')
    this.values.delete(key)
  }

  async withLock<T>(key: string, ttlMs: number, run: () => Promise<T>): Promise<T> {
    this.#note('lock')
    this.locks.push([key, ttlMs])
    const result = this.#tail.then(run)
    this.#tail = result.catch(() => {})
    return result
  }

  #note(name: string): void {
    this.calls.push(name)
    if (this.broken !== undefined) throw this.broken
  }
}

export const unreachable = Object.assign(new Error('connect ECONNREFUSED'), {
  code: 'ECONNREFUSED',
})
