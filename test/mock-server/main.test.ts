import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ReadyInfo, waitForReady } from '../../mock-server/src/index.js'
import { run } from '../../mock-server/src/main.js'
import { untilStopped } from '../../mock-server/src/program/stop-signals.js'
import { exchangeRaw } from '../support/raw-socket.js'
import { selfSigned } from '../support/self-signed.js'
import { startServerProcess } from '../support/server-process.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bw-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the program in this process; `whileReady` gets the ready information, and the server stops
 * after it.
 */
async function program(
  argv: readonly string[],
  whileReady: (info: ReadyInfo) => Promise<void> = async () => undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const stop = new AbortController()
  const text = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') =>
    new PassThrough().on('data', (data) => {
      text[name] += String(data)
      const line =
        name === 'stdout'
          ? text.stdout.split('\n').find((each) => each.startsWith('{"event":"ready"'))
          : undefined
      if (line !== undefined)
        void whileReady(JSON.parse(line) as ReadyInfo).finally(() => stop.abort())
    }) as unknown as NodeJS.WriteStream
  const code = await run(argv, {
    env,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signal: stop.signal,
  })
  return { code, ...text }
}

const free = ['--port', '0', '--seed', 'empty']

describe('ci-mock-server', () => {
  it('answers the first requests of a new process, also those before broken bytes', async () => {
    const { ready, child, ended } = startServerProcess(free)
    const { port, controlToken } = await ready
    const request = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${controlToken}\r\n\r\n`
    // The port is open before the adapter of the server's requests is loaded.
    const text = request('/_control/info') + request('/nowhere')
    const answers = await exchangeRaw(port ?? 0, `${text}garbage\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    child.kill('SIGTERM')
    await ended
  })

  it('prints one ready line and nothing else, serves, and ends with 0', async () => {
    let status = 0
    const ran = await program(
      [...free, '--access-token', 'local-token-for-tests', '--seed', 'demo'],
      async (info) => {
        expect(info).toMatchObject({
          event: 'ready',
          pid: process.pid,
          seed: 'demo',
          seeded: true,
          durable: false,
        })
        expect(info.accessTokens['admin']).toBe('local-token-for-tests')
        expect(info.controlToken).toHaveLength(32)
        const headers = { authorization: 'Bearer local-token-for-tests' }
        status = (await fetch(`${info.baseUrl}/v2/organizations/acme/builds`, { headers })).status
      },
    )
    expect(status).toBe(200)
    expect(ran.code).toBe(0)
    expect(ran.stdout.split('\n').filter((line) => line !== '')).toHaveLength(1)
    expect(ran.stderr).toContain('state lives in memory')
    for (const line of ran.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })

  it('does not echo a control token that the caller gave', async () => {
    const ran = await program(
      [...free, '--control-token', 'a-control-token-of-mine'],
      async (info) => {
        expect(info.controlToken).toBeUndefined()
        const headers = { authorization: 'Bearer a-control-token-of-mine' }
        expect((await fetch(`${info.controlUrl}/info`, { headers })).status).toBe(200)
      },
    )
    expect(ran.stdout + ran.stderr).not.toContain('a-control-token-of-mine')
  })

  it('reads every flag from a variable too; the flag wins', async () => {
    const env = {
      BUILDWIRE_MOCK_PORT: '0',
      BUILDWIRE_MOCK_SEED: 'demo',
      BUILDWIRE_MOCK_BASE_URL: 'http://ci.example:4010/',
      BUILDWIRE_MOCK_SET: 'realm=from-env\nmaxListingDepth=5',
      BUILDWIRE_MOCK_REMOTE: '0',
      BUILDWIRE_MOCK_CLOCK: 'frozen:2026-03-01T09:00:00Z',
    }
    const ran = await program(
      ['--seed', 'empty'],
      async (info) => {
        expect(info).toMatchObject({ seed: 'empty', baseUrl: 'http://ci.example:4010' })
        const answer = await fetch(`http://127.0.0.1:${info.port}/v2/user`)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="from-env"')
        expect(answer.headers.get('date')).toBe('Sun, 01 Mar 2026 09:00:00 GMT')
      },
      env,
    )
    expect(ran.code).toBe(0)
  })

  it.each([
    [['--port', 'x'], '--port must be a whole number'],
    [['--nope'], "unknown option '--nope'"],
    [['--clock', 'sideways'], '--clock must be'],
    [['--set', 'nonsense'], '--set must be key=value'],
    [['--set', 'maxListingDepht=3'], 'maxListingDepht'],
    [['--remote'], '--remote needs a --control-token'],
    [['--control-token', 'short'], 'at least 16 characters'],
    [['--tls-cert', 'only.pem'], '--tls-cert and --tls-key go together'],
    [['--base-url', 'ftp://x'], '--base-url must be'],
    [['--seed', '/nowhere/seed.yaml'], 'cannot be read'],
    [['--lifecycle', 'wild'], 'wild'],
    [['seed', 'check'], 'seed check needs a file'],
  ])('refuses %j with 2 and one clear message', async (argv, message) => {
    const ran = await program(argv[0] === 'seed' ? argv : ['--port', '0', ...argv])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(message)
    expect(ran.stdout).toBe('')
  })

  it('names file, line and column of a bad seed, and starts nothing', async () => {
    const file = join(directory, 'acme.yaml')
    await writeFile(
      file,
      'version: 1\norganizations:\n  - slug: acme\n    members: [{ user: nobody@acme.example }]\n',
    )
    for (const argv of [
      ['--port', '0', '--seed', file],
      ['seed', 'check', file],
    ]) {
      const ran = await program(argv)
      expect(ran.code).toBe(2)
      expect(ran.stderr).toMatch(/acme\.yaml:4:\d+ organizations\[0\]\.members\[0\]\.user: /)
    }
  })

  it('checks a sound seed, prints the schema, help and version', async () => {
    const file = join(directory, 'sound.yaml')
    await writeFile(file, 'users: [{ email: robin@acme.example, name: Robin }]\n')
    expect((await program(['seed', 'check', file])).code).toBe(0)
    expect(JSON.parse((await program(['seed', 'check', '--schema'])).stdout)).toHaveProperty(
      '$schema',
    )
    expect((await program(['seed'])).stdout).toContain('check [options] [file]')
    const help = await program(['start', '--help'])
    expect(help.code).toBe(0)
    expect(help.stdout).toContain('BUILDWIRE_MOCK_READY_FILE')
    expect((await program(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    [['--version'], 0],
    [['seed', 'check', '--schema'], 0],
    [['--no-such-flag'], 2],
  ])('is not felled by a reader who has gone: %j', async (argv, code) => {
    let refused = 0
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        refused++
        done(new Error('write EPIPE'))
      },
    }) as unknown as NodeJS.WriteStream
    expect(await run(argv, { env: {}, stdout: gone, stderr: gone })).toBe(code)
    await new Promise(setImmediate)
    expect(refused).toBe(1)
  })

  it('ends with 3 when the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const ran = await program(['--port', String(port), '--seed', 'empty'])
    other.close()
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain(`cannot listen on 127.0.0.1:${port}: EADDRINUSE`)
    const nowhere = await program([...free, '--host', '999.1.1.1', '--seed', 'empty'])
    expect([nowhere.code, nowhere.stderr]).toEqual([
      3,
      'ci-mock-server: cannot listen on 999.1.1.1: ENOTFOUND\n',
    ])
  })

  it('ends with 78 when the data directory is in use or damaged', async () => {
    const data = join(directory, 'data')
    const ran = await program([...free, '--data-dir', data], async () => {
      const second = await program([...free, '--data-dir', data])
      expect(second.code).toBe(78)
      expect(second.stderr).toContain(`in use by process ${process.pid}`)
    })
    expect(ran.code).toBe(0)
    await writeFile(join(data, 'state.jsonl'), 'junk\n')
    expect((await program([...free, '--data-dir', data])).code).toBe(78)
    const long = await program([...free, '--data-dir', join(directory, 'x'.repeat(100))])
    expect(long.code).toBe(0)
    expect(await program([...free, '--data-dir', ''])).toMatchObject({ code: 2, stdout: '' })
  })

  it('ends with 78 when its user may not use the data directory', async () => {
    const data = join(directory, 'data')
    await mkdir(data, { mode: 0 })
    const anybody = process.getuid?.() === 0 ? { uid: 65_534 } : {}
    const server = startServerProcess([...free, '--data-dir', data], { built: true, ...anybody })
    expect(await server.ended).toMatchObject({ code: 78 })
    expect(server.output.stderr).toContain(
      'cannot be used as a data directory: this user may not use it (EACCES)',
    )
  }, 60_000)

  it('writes a ready file for its owner only, and takes it away', async () => {
    const readyFile = join(directory, 'ready.json')
    const waiting = waitForReady({ readyFile })
    await program([...free, '--ready-file', readyFile], async (info) => {
      expect(await waiting).toEqual(info)
      expect(JSON.parse(await readFile(readyFile, 'utf8'))).toEqual(info)
      expect((await stat(readyFile)).mode & 0o777).toBe(0o600)
      await waitForReady({ url: info.baseUrl })
      expect((await program(['health', '--url', info.baseUrl])).code).toBe(0)
    })
    await expect(stat(readyFile)).rejects.toThrow()
    expect((await program(['health', '--url', 'http://127.0.0.1:1'])).code).toBe(1)
  })

  it.each(['127.0.0.1', '0.0.0.0', '::1'])(
    'health finds a server by its flags or variables: --host %s',
    async (host) => {
      const { cert, key } = selfSigned()
      const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
      await writeFile(certFile, cert)
      await writeFile(keyFile, key)
      const tls = ['--tls-cert', certFile, '--tls-key', keyFile]
      for (const flags of [[], tls]) {
        await program([...free, '--host', host, ...flags], async ({ port }) => {
          const asked = ['--host', host, '--port', String(port), '--seed', 'empty', ...flags]
          expect((await program(['health', ...asked])).code).toBe(0)
          const names = asked.map(
            (word) => `BUILDWIRE_MOCK_${word.slice(2).replaceAll('-', '_').toUpperCase()}`,
          )
          const env = Object.fromEntries(
            asked.flatMap((word, at) => (at % 2 ? [[names[at - 1], word]] : [])),
          )
          expect((await program(['health'], undefined, env)).code).toBe(0)
          // Another server with another certificate, or none, is not the one that these flags
          // started.
          const other =
            flags === tls
              ? ['--port', String(port)]
              : ['--port', String(port), '--tls-cert', certFile]
          expect((await program(['health', '--host', host, ...other])).code).toBe(1)
        })
      }
      expect(await program(['health', '--port', '0'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--url'),
      })
      expect((await program(['health', '--tls-cert', keyFile])).code).toBe(2)
    },
  )

  it('waits over a stale ready file and gives up in time', async () => {
    const readyFile = join(directory, 'stale.json')
    await writeFile(readyFile, JSON.stringify({ event: 'ready', pid: 2 ** 22 + 1 }))
    await expect(waitForReady({ readyFile }, { timeoutMs: 120 })).rejects.toThrow(
      'was not ready in 120 ms',
    )
  })
})

describe('ci-mock-server as a process', () => {
  it('drains at a signal and ends with 0', async () => {
    const server = startServerProcess([...free, '--log', 'off'])
    const { baseUrl } = await server.ready
    expect((await fetch(`${baseUrl}/_control/health/ready`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(server.output.stderr).toBe('')
  })

  it('takes two signals at once for one, also when it has stopped before the second comes', async () => {
    for (const pause of [0, 5, 10, 20]) {
      const server = startServerProcess([...free, '--log', 'off', '--seed', 'empty'])
      await server.ready
      server.child.kill('SIGTERM')
      // Real time of a real process: it stops in a few ms.
      await new Promise((resolve) => setTimeout(resolve, pause))
      server.child.kill('SIGINT')
      expect(await server.ended, `${pause} ms apart`).toEqual({ code: 0, signal: null })
    }
  })

  it('takes a signal that came at once for the twin, however late a busy loop reads it', async () => {
    const stopped = untilStopped(undefined, undefined)
    process.kill(process.pid, 'SIGHUP')
    await stopped.first
    process.kill(process.pid, 'SIGHUP')
    for (const start = performance.now(); performance.now() - start < 150; );
    await stopped.dispose()
    expect(stopped.exitCode()).toBe(0)
  })

  it('a second signal cuts the drain short and still stores the last batch', async () => {
    const data = join(directory, 'data')
    const args = [...free, '--log', 'off', '--data-dir', data, '--drain-ms', '60000']
    const server = startServerProcess(args)
    const { port, controlUrl, controlToken } = await server.ready
    const headers = { authorization: `Bearer ${controlToken}` }
    const body = JSON.stringify({ users: [{ email: 'robin@acme.example' }] })
    expect((await fetch(`${controlUrl}/apply`, { method: 'POST', headers, body })).status).toBe(200)
    const { openRaw } = await import('../support/raw-socket.js')
    const stuck = await openRaw(port ?? 0)
    await stuck.write('GET /v2/user HTTP/1.1\r\nHost: loc')
    server.child.kill('SIGINT')
    // Signals within 100 ms are one: this is real time of a real process.
    await new Promise((resolve) => setTimeout(resolve, 300))
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 143, signal: null })
    expect(await readFile(join(data, 'state.jsonl'), 'utf8')).toContain('robin@acme.example')
  })

  it('ends with the stdin of its parent when told so', async () => {
    const server = startServerProcess([...free, '--log', 'off', '--exit-with-stdin'], {
      stdin: 'open',
    })
    await server.ready
    server.child.stdin?.end()
    expect((await server.ended).code).toBe(0)
  })
})
