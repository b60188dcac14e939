import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storedCredential } from '../../../cli/src/auth/stored.js'
import { type MemoryIo, type MemoryIoOptions, memoryIo } from '../support/memory-io.js'
import type { RunResult } from '../support/run-cli.js'
import { openWorkshop, type Workshop } from '../support/workshop.js'

/** A person at a machine with a home of its own, beside a small server; the token is only what that home holds. */
export interface Person extends AsyncDisposable {
  readonly shop: Workshop
  readonly home: string
  readonly config: string
  io(options?: MemoryIoOptions): MemoryIo
  run(argv: readonly string[], options?: { readonly io?: MemoryIo } & MemoryIoOptions): Promise<RunResult>
  /** Waits for a code on stderr and answers it, on the workshop's clock. */
  answer(io: MemoryIo, how: 'approve' | 'deny'): Promise<string>
  /** Logs in with the application of the seed. */
  login(...flags: string[]): Promise<RunResult>
  /** What a file of the configuration holds. */
  file(name: string): Promise<string>
}

/** Puts a person beside a new server. */
export async function person(): Promise<Person> {
  const shop = await openWorkshop()
  const home = await mkdtemp(join(tmpdir(), 'ci-person-'))
  const config = join(home, '.config', 'buildwire')
  const { BUILDWIRE_TOKEN: _, ...env } = shop.env
  const base = { ...env, BUILDWIRE_CLIENT_ID: 'laptop', BUILDWIRE_CREDENTIAL_STORE: 'file' }
  const io = (options: MemoryIoOptions = {}) =>
    memoryIo({ ...options, home, cwd: home, env: { ...base, ...options.env } })
  const run: Person['run'] = (argv, options = {}) =>
    shop.run(argv, { io: options.io ?? io(options), home, storedCredential })
  const answer: Person['answer'] = async (stream, how) => {
    for (;;) {
      const code = /\b([A-Z]{4}-[A-Z]{4})\b/u.exec(stream.written.stderr + stream.written.stdout)?.[1]
      if (code === undefined) {
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      const user = 'robin@acme.example'
      if (how === 'deny') await shop.control.deviceAuthorizations.deny({ user_code: code, user })
      else await shop.control.deviceAuthorizations.approve({ user_code: code, user, org_slug: 'acme' })
      return code
    }
  }
  return {
    shop,
    home,
    config,
    io,
    run,
    answer,
    async login(...flags) {
      const stream = io()
      const [result] = await Promise.all([run(['auth', 'login', ...flags], { io: stream }), answer(stream, 'approve')])
      return result
    },
    file: (name) => readFile(join(config, name), 'utf8'),
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
