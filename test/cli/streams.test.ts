import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BIN, bareEnv, runChild, shell, start } from './support/child.js'
import { listening } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
let flood: { server: Server; url: string; requests: number }

const LOG_JOB = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
const LOG_BLOCKS = 200

/** 200 megabytes of log, each line with a colour and a character beyond ASCII. */
function* logBlocks() {
  const block = Buffer.from(`\u001b[32m✓\u001b[0m ${'x'.repeat(86)}\n`.repeat(10_000))
  for (let count = 0; count < LOG_BLOCKS; count++) yield block
}

/** Five megabytes of builds in a hundred pages, and a count of how many were asked for. */
async function startFlood() {
  const state = { server: createServer(), url: '', requests: 0 }
  state.server.on('request', (request, response) => {
    state.requests += 1
    const job = {
      id: LOG_JOB,
      type: 'script',
      name: 'big',
      state: 'failed',
      raw_log_url: 'x',
      started_at: 'x',
    }
    if (request.url?.endsWith('/log.txt')) return Readable.from(logBlocks()).pipe(response)
    if (request.url?.endsWith('/builds/1')) {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ id: LOG_JOB, number: 1, state: 'failed', jobs: [job] }))
    }
    const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('page') ?? '1')
    const items = Array.from({ length: 50 }, (_, at) => ({
      id: `00000000-0000-4000-8000-${String(page * 100 + at).padStart(12, '0')}`,
      number: 100_000 - page * 100 - at,
      state: 'passed',
      message: 'x'.repeat(1000),
      created_at: new Date(
        Date.parse('2026-11-27T00:00:00Z') - (page * 100 + at) * 1000,
      ).toISOString(),
    }))
    const link =
      page < 100
        ? { link: `<${state.url}${request.url?.split('?')[0]}?page=${page + 1}>; rel="next"` }
        : {}
    response
      .writeHead(200, { 'content-type': 'application/json', ...link })
      .end(JSON.stringify(items))
  })
  state.url = await listening(state.server)
  return state
}

beforeAll(async () => {
  flood = await startFlood()
})
afterAll(() => {
  flood.server.closeAllConnections()
  flood.server.close()
})

const floodEnv = () => ({ BUILDWIRE_BASE_URL: flood.url, BUILDWIRE_TOKEN: 'flood-token-1' })

describe('a reader that goes away (C6)', () => {
  it.each([['--json'], ['-o', 'jsonl'], ['-o', 'tsv']])(
    'ends a list in silence, with 0 (%s)',
    async (...form) => {
      flood.requests = 0
      const { code, stderr } = await runChild(
        ['builds', 'list', '--all', ...form.filter((word) => word !== undefined)],
        {
          env: floodEnv(),
          onSpawn: ({ stdout }) => stdout?.once('data', () => stdout.destroy()),
        },
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(flood.requests).toBeLessThan(100)
    },
  )
})

describe('a slow reader (C7)', () => {
  it.each([['--json'], ['-o jsonl']])('gets the whole document (%s)', async (form) => {
    const child = spawn(process.execPath, [BIN, 'builds', 'list', '--all', ...form.split(' ')], {
      env: await bareEnv(floodEnv()),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    // Nobody reads until the pipe is full and the program has to wait.
    await new Promise((resolve) => child.stdout.once('readable', resolve))
    let text = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
    const code = await new Promise((resolve) =>
      child.exitCode === null ? child.on('close', resolve) : resolve(child.exitCode),
    )
    expect(code).toBe(0)
    const builds =
      form === '--json'
        ? JSON.parse(text)
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
    expect(builds).toHaveLength(5000)
  })
})

describe('-o jsonl (C10)', () => {
  it('keeps its memory flat: no page stays after it was written', async () => {
    // The further pages weigh five megabytes.
    const [few, many] = [await peakOf(['-L', '300']), await peakOf(['--all'])]
    expect(many.lines).toBe(5000)
    expect(few.peak).toBeGreaterThan(1_000_000)
    expect(many.peak - few.peak).toBeLessThan(3_000_000)
  })
})

/**
 * Lines of a `jsonl` list, and the bytes that live after the greatest collection: garbage does not
 * count.
 */
async function peakOf(limit: readonly string[]): Promise<{ lines: number; peak: number }> {
  const { code, stdout } = await runChild(['builds', 'list', '-o', 'jsonl', ...limit], {
    env: floodEnv(),
    node: ['--expose-gc', '--import', new URL('./support/live-heap.mjs', import.meta.url).href],
  })
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  const peak = Number(/^LIVE (\d+)$/u.exec(lines.pop() ?? '')?.[1])
  return { lines: lines.length, peak }
}

describe('a log of 200 megabytes', () => {
  /** The most memory that a run takes, in kilobytes, and what it writes. */
  async function run(...argv: string[]) {
    const told =
      "process.on('exit', () => process.stderr.write(`RSS ${process.resourceUsage().maxRSS}`))"
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${told}`, BIN, ...argv],
      {
        env: await bareEnv(floodEnv()),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let [bytes, stderr] = [0, '']
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    await new Promise((resolve) => child.on('close', resolve))
    return { bytes, peak: Number(/RSS (\d+)$/u.exec(stderr)?.[1]) }
  }

  it('takes less than 40 megabytes more than help, as text and as bytes', async () => {
    const help = await run('--help')
    expect(help.peak).toBeGreaterThan(10_000)
    for (const flags of [[], ['--raw']]) {
      const { bytes, peak } = await run('builds', 'logs', 'acme/web#1', ...flags)
      expect(bytes).toBeGreaterThan(LOG_BLOCKS * 800_000)
      expect(peak - help.peak).toBeLessThan(40_000)
    }
  }, 120_000)
})

describe('closed and odd streams', () => {
  it('an error on a closed stderr still has its exit code', async () => {
    expect((await shell('ci builds list 2>&-', { env: await bareEnv() }).done).code).toBe(78)
  })

  it('a list into a closed stdout ends with 0', async () => {
    expect((await shell('ci builds list >&-', { env: await bareEnv(started.env) }).done).code).toBe(
      0,
    )
  })

  it('a loop over stdin keeps its lines (C15)', async () => {
    const script = `printf '1\\n2\\n' | while read n; do ci builds list -L "$n" -o id -p acme/web; echo "-"; done`
    const { stdout } = await shell(script, { env: await bareEnv(started.env) }).done
    expect(stdout).toMatch(/^\d+\n-\n\d+\n\d+\n-\n$/u)
  })
})

describe('signals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a request at once with %i', async (signal, expected) => {
    const server = createServer(() => undefined)
    const url = await listening(server)
    const result = await runChild(
      ['builds', 'create', '-p', 'acme/web', '-b', 'main', '-c', 'HEAD'],
      {
        env: { BUILDWIRE_BASE_URL: url, BUILDWIRE_TOKEN: 'signal-token' },
        onSpawn: (child) => server.once('request', () => child.kill(signal)),
      },
    )
    server.closeAllConnections()
    server.close()
    expect(result).toMatchObject({ code: expected, stdout: '' })
    expect(result.stderr).toBe('The build may exist: ci builds list -p acme/web -b main -L 5\n')
  })

  it.skipIf(!existsSync('/proc/self/status')).each([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)('%s ends a jq that never ends', async (signal, number) => {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    )
    const argv = ['builds', 'list', '-p', 'acme/web', '--jq', 'def f: f; f']
    const url = await listening(server)
    const env = await bareEnv({ BUILDWIRE_BASE_URL: url, BUILDWIRE_TOKEN: 'signal-token' })
    const child = start(process.execPath, [BIN, ...argv], { env })
    const isCaught = () => catches(child.process.pid, number)
    try {
      await once(server, 'request')
      expect(isCaught()).toBe(true)
      await expect.poll(isCaught, { timeout: 20_000 }).toBe(false)
      child.process.kill(signal)
      expect(await child.done).toMatchObject({ code: null, signal, stdout: '' })
    } finally {
      child.process.kill('SIGKILL')
      server.close()
    }
  })
})

/** Whether a process has a handler for that signal: Linux lists them as bits, from 1. */
function catches(pid: number | undefined, signal: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/mu.exec(status)?.[1]}`)
  return (caught & (1n << BigInt(signal - 1))) !== 0n
}

describe('values arrive unchanged (C15)', () => {
  it('from files and stdin, byte for byte; text that is not UTF-8 is refused', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'ci-files-'))
    await writeFile(join(directory, 'message'), 'line one\n\n  line two  \n')
    await writeFile(join(directory, 'latin1'), Buffer.from([0x66, 0xfc, 0x72]))
    await writeFile(join(directory, 'env'), 'B=2\nA=file\n')
    const argv = [
      'builds',
      'create',
      '-p',
      'acme/web',
      '-c',
      'HEAD',
      '-b',
      'main',
      '--json=message,env',
    ]
    const options = { env: started.env, cwd: directory }
    const filed = await runChild(
      [...argv, '--message-file', 'message', '--env-file', 'env', '-e', 'A=flag'],
      options,
    )
    expect(JSON.parse(filed.stdout)).toEqual({
      message: 'line one\n\n  line two  \n',
      env: { A: 'flag', B: '2' },
    })
    const piped = await runChild([...argv, '--message-file', '-'], {
      ...options,
      stdin: 'from stdin',
    })
    expect(JSON.parse(piped.stdout).message).toBe('from stdin')
    const broken = await runChild([...argv, '--message-file', 'latin1'], options)
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    expect(broken.stderr).toContain('not UTF-8')
  })
})
