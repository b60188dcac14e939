import { systemClock } from '../clock.js'
import type { Urls } from '../context.js'
import { timestamp } from '../domain/timestamp.js'
import type { Limits } from '../options.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { version } from '../version.js'
import { type Control, createControl } from './control.js'
import type { NotReady } from './host.js'

/** What the control API asks the server about. */
export interface ServerFacts {
  readonly limits: Limits
  sandboxes(): Sandboxes | null
  isListening(): boolean
  internalErrors(): number
  droppedLogLines(): number
  notReady(): NotReady
}

/** The control API of each sandbox of a server, made when it is first asked for. */
export class ServerControl {
  readonly #controls = new WeakMap<Sandbox, Control>()
  readonly #startedAt = timestamp(systemClock.now())
  readonly #facts: ServerFacts

  constructor(facts: ServerFacts) {
    this.#facts = facts
  }

  /** @param urls The server's URLs that the control API was asked at, where they are not its canonical ones. */
  of(sandbox: Sandbox, urls?: Urls): Control {
    if (urls !== undefined) return this.#make(sandbox, urls)
    const known = this.#controls.get(sandbox) ?? this.#make(sandbox)
    this.#controls.set(sandbox, known)
    return known
  }

  #make(sandbox: Sandbox, askedAt?: Urls): Control {
    const facts = this.#facts
    return createControl({
      sandbox,
      sandboxes: sandbox.id === 'main' ? facts.sandboxes() : null,
      askedAt,
      hostClock: systemClock,
      isListening: () => facts.isListening(),
      info: () => ({
        version,
        startedAt: this.#startedAt,
        doors: [...(facts.isListening() ? ['listen'] : []), 'fetch', 'dispatcher', 'msw'],
        limits: facts.limits,
        internalErrors: facts.internalErrors(),
        droppedLogLines: facts.droppedLogLines(),
      }),
      notReady: () => facts.notReady(),
    })
  }
}
