import { backgroundClock, type Clock } from '../base/clock.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { openSeed, type SeedOption } from '../seed/seed.js'
import { mergeSettings } from '../seed/settings.js'
import type { SandboxOptions, SandboxSetup } from './options.js'
import { Sandbox } from './sandbox.js'
import { SeedCache } from './seeded-state.js'

interface KeptSandbox {
  readonly sandbox: Sandbox
  readonly ttlMs: number
  usedAt: number
}

export interface SandboxesOptions {
  readonly main: Sandbox
  readonly max: number
  readonly idleTtlMs: number
  readonly newId: () => string
  readonly defaults: Omit<SandboxSetup, 'id' | 'seed'>
  readonly seed: SeedOption
  /** Sandboxes expire by the host's time, not by their own clocks. */
  readonly host?: Clock
}

/** Only `main` may have a seed with more builds. */
const mostBuilds = 10_000
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Wraps a clock, so that the control API can set and advance it. */
export function asVirtual(clock: Clock | null | undefined): VirtualClock {
  return clock instanceof VirtualClock
    ? clock
    : new VirtualClock({ mode: 'real', ...(clock && { host: clock }) })
}

/** `main` at the root and the sandboxes under `/s/{id}`. Idle sandboxes are deleted. */
export class Sandboxes {
  readonly main: Sandbox
  readonly #kept = new Map<string, KeptSandbox>()
  readonly #seeds = new SeedCache()
  readonly #options: SandboxesOptions
  readonly #host: Clock

  constructor(options: SandboxesOptions) {
    this.main = options.main
    this.#options = options
    this.#host = options.host ?? backgroundClock
  }

  /** Finds the sandbox of a prefix, and restarts its idle time. `main` has no prefix. */
  find(id: string): Sandbox | undefined {
    this.#expire()
    const kept = this.#kept.get(id)
    if (kept === undefined) return undefined
    kept.usedAt = this.#host.monotonic()
    return kept.sandbox
  }

  /** The sandbox with this id; `main` if there is none. */
  at(id: string): Sandbox {
    return this.#kept.get(id)?.sandbox ?? this.main
  }

  list(): readonly Sandbox[] {
    this.#expire()
    return [...this.#kept.values()].map(({ sandbox }) => sandbox)
  }

  /** When the sandbox is deleted if nothing uses it, epoch ms of the host. */
  expiresAt(id: string): number | null {
    const kept = this.#kept.get(id)
    if (kept === undefined) return null

    const idleMs = this.#host.monotonic() - kept.usedAt
    return Math.ceil(this.#host.now() + kept.ttlMs - idleMs)
  }

  /** @throws SeedError for a seed with errors; TypeError for an unknown name of a seed. */
  async create(options: SandboxOptions = {}): Promise<Decision<Sandbox>> {
    this.#expire()
    const id = options.id ?? this.#options.newId()
    if (!idForm.test(id))
      return refuse('unprocessable', 'id must be 1 to 64 letters, digits, ".", "_" or "-"')

    const findConflict = () => {
      if (id === 'main' || this.#kept.has(id)) return refuse('conflict', `The sandbox ${id} exists`)
      return this.#kept.size < this.#options.max
        ? undefined
        : refuse('conflict', 'There are too many sandboxes')
    }
    const seed = await openSeed(options.seed ?? this.#options.seed)
    const conflictBefore = findConflict()
    if (conflictBefore) return conflictBefore
    if (seed.builds > mostBuilds) {
      return refuse(
        'unprocessable',
        `A seed of more than ${mostBuilds} builds is for the main sandbox only`,
      )
    }

    const { defaults } = this.#options
    const setup: SandboxSetup = {
      ...defaults,
      // The token values that the caller chose are valid in `main` only.
      accessTokens: undefined,
      id,
      seed,
      clock: asVirtual(options.clock),
      randomSeed: options.randomSeed ?? defaults.randomSeed,
      lifecycle: options.lifecycle ?? defaults.lifecycle,
      settings: mergeSettings(defaults.settings, options.settings ?? {}),
    }
    const base = await this.#seeds.get(setup)

    // There is no await from here on, so the second of two calls for one id is refused.
    const conflictAfter = findConflict()
    if (conflictAfter) return conflictAfter

    const sandbox = Sandbox.over(setup, base)
    const ttlMs = options.ttlMs ?? this.#options.idleTtlMs
    this.#kept.set(id, { sandbox, ttlMs, usedAt: this.#host.monotonic() })
    return accept(sandbox)
  }

  /** Deletes a sandbox; false if there is none with this id. `main` cannot be deleted. */
  async delete(id: string): Promise<boolean> {
    const kept = this.#kept.get(id)
    this.#kept.delete(id)
    await kept?.sandbox.close()
    return kept !== undefined
  }

  async deleteAll(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((id) => this.delete(id)))
  }

  async close(): Promise<void> {
    await this.deleteAll()
    await this.main.close()
  }

  #expire(): void {
    const now = this.#host.monotonic()
    for (const [id, { ttlMs, usedAt }] of this.#kept)
      if (now - usedAt >= ttlMs) void this.delete(id)
  }
}
