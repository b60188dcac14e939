import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storedCredential } from '../../../cli/src/auth/stored.js'
import { type MemoryIo, type MemoryIoOptions, memoryIo } from '../support/memory-io.js'
import { openWorkshop } from '../support/workshop.js'

export type Person = Awaited<ReturnType<typeof person>>

/**
 * A user with a home directory and a small server. The only token is the one that is stored in that
 * home.
 */
export async function person() {
  const shop = await openWorkshop()
  const home = await mkdtemp(join(tmpdir(), 'ci-person-'))
  const config = join(home, '.config', 'buildwire')
  const { BUILDWIRE_TOKEN: _, ...env } = shop.env
  const base = { ...env, BUILDWIRE_CLIENT_ID: 'laptop', BUILDWIRE_CREDENTIAL_STORE: 'file' }
  const io = (options: MemoryIoOptions = {}) =>
    memoryIo({ ...options, home, cwd: home, env: { ...base, ...options.env } })
  const run = (
    argv: readonly string[],
    options: { readonly io?: MemoryIo } & MemoryIoOptions = {},
  ) => shop.run(argv, { io: options.io ?? io(options), home, storedCredential })
  /** Waits for a code on stderr, then approves or denies it. */
  const answer = async (stream: MemoryIo, how: 'approve' | 'deny'): Promise<string> => {
    for (;;) {
      const code = /\b([A-Z]{4}-[A-Z]{4})\b/u.exec(
        stream.written.stderr + stream.written.stdout,
      )?.[1]
      if (code === undefined) {
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      const user = 'robin@acme.example'
      if (how === 'deny') await shop.control.deviceAuthorizations.deny({ user_code: code, user })
      else
        await shop.control.deviceAuthorizations.approve({ user_code: code, user, org_slug: 'acme' })
      return code
    }
  }
  /** Logs in with the application of the seed. */
  const login = async (...flags: string[]) => {
    const stream = io()
    const [result] = await Promise.all([
      run(['auth', 'login', ...flags], { io: stream }),
      answer(stream, 'approve'),
    ])
    return result
  }
  /** The text of a file of the configuration. */
  const file = (name: string) => readFile(join(config, name), 'utf8')
  const dispose = async () => {
    await shop[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  }
  return { shop, home, config, io, run, answer, login, file, [Symbol.asyncDispose]: dispose }
}
