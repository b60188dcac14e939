import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bareEnv, terminal, withoutProgress } from './support/child.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()

interface Typing {
  /** Typed as soon as `when` stands on the screen. */
  readonly when: RegExp
  readonly keys: string
}

/** Runs the program on a real terminal of that size; the answer holds every byte it wrote. */
async function onTerminal(
  argv: readonly string[],
  {
    columns = 100,
    rows = 30,
    env = {},
    typing = null,
  }: { columns?: number; rows?: number; env?: Record<string, string>; typing?: Typing | null } = {},
) {
  const quoted = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const line = `trap : INT; ci ${quoted}; code=$?; echo "[$code]"; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e '-icanon' -e '-echo' | tr '\\n' ' '`
  const child = terminal(
    line,
    { columns, rows },
    { env: await bareEnv({ ...started.env, ...env }) },
  )
  // A test that gives up leaves nothing behind: `script` takes what runs on its terminal with it.
  onTestFinished(() => void child.process.kill())
  if (typing !== null) {
    await child.shows(typing.when)
    child.process.stdin?.write(typing.keys)
  }
  const { stdout: text } = await child.done
  const code = Number(/\[(\d+)\]/u.exec(text)?.[1] ?? Number.NaN)
  return {
    text,
    code,
    restored: /icanon echo|echo icanon/u.test(text.slice(text.lastIndexOf('['))),
  }
}

const WIPES = /\u001b\[[23]J/u

describe('on a real terminal', () => {
  it('a list has colour, fits, and wipes nothing', async () => {
    const { text, code } = await onTerminal(['builds', 'list', '-L', '5', '-p', 'acme/web'], {
      columns: 80,
    })
    expect(code).toBe(0)
    expect(text).toContain('\u001b[2mSTATE')
    expect(text).toMatch(/\u001b\[3[0-9]m[✓✗▸◫] /u)
    expect(text).not.toMatch(WIPES)
    const lines = withoutProgress(text)
      .replace(/\u001b\[[0-9;]*m|[\u2066-\u2069]/gu, '')
      .split('\r\n')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
  })

  it('--no-color, NO_COLOR and TERM=dumb write no escape at all', async () => {
    const plain = await onTerminal(['builds', 'get', 'acme/web#926', '--no-color', '--no-pager'])
    const variable = await onTerminal(['builds', 'get', 'acme/web#926'], {
      rows: 60,
      env: { NO_COLOR: '1' },
    })
    const dumb = await onTerminal(['builds', 'get', 'acme/web#926'], {
      rows: 60,
      env: { TERM: 'dumb' },
    })
    for (const { text } of [plain, variable, dumb]) expect(text).not.toContain('\u001b')
  })

  it('a text taller than the screen goes to the pager, which may be quit early', async () => {
    const argv = ['builds', 'list', '-L', '30', '-p', 'acme/web']
    const paged = await onTerminal(argv, { rows: 10, env: { BUILDWIRE_PAGER: 'head -n 3' } })
    expect(paged.code).toBe(0)
    expect(paged.text.match(/acme|#?\d{3} {2}/gu)?.length ?? 0).toBeLessThan(8)
    const unpaged = await onTerminal([...argv, '--no-pager'], {
      rows: 10,
      env: { BUILDWIRE_PAGER: 'head -n 3' },
    })
    expect(unpaged.text.split('\r\n').length).toBeGreaterThan(30)
    const broken = await onTerminal(argv, { rows: 10, env: { BUILDWIRE_PAGER: 'no-such-pager' } })
    expect(broken.code).toBe(0)
    expect(broken.text).toContain('the pager no-such-pager cannot be started')
    expect(broken.text.split('\r\n').length).toBeGreaterThan(30)
  })

  it('Ctrl-C in a pager is the pager’s, and the list ends well', async () => {
    // A pager of our own: where a Ctrl-C leaves less, at its prompt or in the middle of a new page,
    // is a matter of luck.
    const folder = await mkdtemp(join(tmpdir(), 'ci-pager-'))
    const pager = join(folder, 'pager.cjs')
    await writeFile(
      pager,
      `process.on('SIGINT', () => process.exit()); process.stdin.resume(); console.log('paging')
setInterval(() => {}, 1 << 30)`,
    )
    const { code, restored } = await onTerminal(['builds', 'list', '-L', '30', '-p', 'acme/web'], {
      rows: 10,
      env: { BUILDWIRE_PAGER: `${process.execPath} ${pager}` },
      typing: { when: /paging/u, keys: '\u0003' },
    })
    await rm(folder, { recursive: true })
    expect({ code, restored }).toEqual({ code: 0, restored: true })
  })

  it('a missing pipeline is picked from a list, by typing its number', async () => {
    const { text, code } = await onTerminal(['builds', 'get', '--org', 'acme', '-o', 'id'], {
      typing: { when: /Number \(1-\d+\): $/u, keys: '2\n' },
    })
    expect(code).toBe(0)
    expect(text).toMatch(/\d+\r\n\[0\]/u)
  })

  it('Ctrl-C at a question ends with 130 and leaves the terminal as it was', async () => {
    const { code, restored } = await onTerminal(['builds', 'get', '--org', 'acme'], {
      typing: { when: /Number \(1-\d+\): $/u, keys: '\u0003' },
    })
    expect({ code, restored }).toEqual({ code: 130, restored: true })
  })
})
