import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { createMockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acmeSeed } from '../../support/control-client.js'
import { BIN, emptyEnv, has, shell, start, terminal } from '../support/child.js'

let server: ReturnType<typeof createMockServer>
let home: string
let env: Record<string, string>

beforeAll(async () => {
  server = createMockServer({ seed: acmeSeed, strict: true })
  await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  home = await mkdtemp(join(tmpdir(), 'ci-watch-'))
  env = {
    ...emptyEnv(home),
    BUILDWIRE_BASE_URL: server.baseUrl,
    BUILDWIRE_TOKEN: accessTokens.admin ?? '',
    BUILDWIRE_PIPELINE: 'acme/web',
  }
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

async function newBuild(to?: 'started' | 'finished') {
  const build = await server.control.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    commit: 'HEAD',
    branch: 'main',
  })
  return to === undefined
    ? build
    : server.control.builds.advance({ id: build.id, to, outcome: 'failed' })
}
const finish = (id: string) =>
  server.control.builds.advance({ id, to: 'finished', outcome: 'failed' })

describe('C5: without a terminal it writes plain lines, and ink is never loaded', () => {
  const recorder = fileURLToPath(new URL('../support/record-imports.mjs', import.meta.url))

  test.each([
    ['stdin from nowhere', (number: number) => `ci builds watch ${number} </dev/null`],
    ['into a pipe', (number: number) => `ci builds watch ${number} | cat; exit \${PIPESTATUS[0]}`],
    ['under nohup', (number: number) => `nohup "$NODE" "$BIN" builds watch ${number} 2>/dev/null`],
  ])('%s', async (name, line) => {
    const build = await newBuild('finished')
    const imports = join(home, `imports-${name.replaceAll(' ', '-')}`)
    const { code, stdout } = await shell(line(build.number), {
      env: {
        ...env,
        NODE: process.execPath,
        BIN,
        NODE_OPTIONS: `--import ${recorder}`,
        RECORD_IMPORTS: imports,
      },
    }).done
    expect(code).toBe(1)
    expect(stdout).toMatch(/^\S+Z build \d+: failed/u)
    expect(stdout).not.toContain('\u001b')
    const loaded = await readFile(imports, 'utf8')
    expect(loaded).toContain('/cli/dist/')
    expect(loaded).not.toMatch(
      /\/node_modules\/(?:ink|react|yoga-layout|react-reconciler|@napi-rs|jose|jq-web|undici)\//u,
    )
  })
})

describe('C6: a reader that closes stdout', () => {
  test('watch | head -1 is silent and exits with 8, because the outcome is unknown', async () => {
    const build = await newBuild()
    const line = `ci builds watch ${build.number} --interval 100ms | head -1; echo "code \${PIPESTATUS[0]}"`
    const child = shell(line.replace('100ms', '0.1'), { env })
    await child.shows(/build \d+: scheduled/u)
    await server.control.builds.advance({ id: build.id, to: 'started' })
    const { stdout, stderr } = await child.done
    expect(stdout).toMatch(/^\S+ build \d+: scheduled\ncode 8\n$/u)
    expect(stderr.replace(/^acme\/web .*\n/u, '')).toBe('')
  })
})

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a watch with %d and prints the command to resume', async (signal, code) => {
    const build = await newBuild()
    const child = start(process.execPath, [BIN, 'builds', 'watch', String(build.number)], { env })
    await child.shows(/scheduled/u)
    child.process.kill(signal)
    const result = await child.done
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(
      `still running; resume: ci builds watch acme/web#${build.number}\n`,
    )
  })
})

describe.skipIf(!has('script'))('on a terminal (needs script)', () => {
  const CLEARS = /\u001b\[[23]J/u

  test('draws the build, never clears the screen, and leaves the cursor shown', async () => {
    const build = await newBuild('started')
    const child = terminal(
      `ci builds watch ${build.number} --interval 0.1; echo "code $?"`,
      { columns: 100, rows: 24 },
      { env },
    )
    await child.shows(/acme\/web #\d+/u)
    await child.shows(/of 4 jobs/u)
    await finish(build.id)
    const { stdout } = await child.done
    expect(stdout).toContain('code 1')
    const logs = `Logs: ci builds logs acme/web#${build.number} --failed`
    expect(stripVTControlCharacters(stdout)).toContain(logs)
    expect(stdout).toMatch(/ {2}http\S+\/builds\/\d+\r$/mu)
    expect(stdout).not.toMatch(CLEARS)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })

  test('on a narrow terminal each command has a line and is not cut', async () => {
    const build = await newBuild()
    await server.control.builds.advance({ id: build.id, to: 'blocked' })
    const { stdout } = await terminal(
      `ci builds watch ${build.number}`,
      { columns: 40, rows: 20 },
      { env },
    ).done
    expect(stdout).toMatch(/^ {2}".+" waits for a person; to unblock it:\r$/mu)
    expect(stripVTControlCharacters(stdout)).toMatch(
      new RegExp(`^  ci jobs unblock acme/web#${build.number}\r$`, 'mu'),
    )
  })

  test('Ctrl-C exits with 130, keeps the last frame and restores the terminal', async () => {
    const build = await newBuild('started')
    const line = `trap : INT; stty -g > before; ci builds watch ${build.number}; echo "code $?"; stty -g > after`
    const child = terminal(line, { columns: 60, rows: 20 }, { env, cwd: home })
    await child.shows(/of 4 jobs/u)
    child.process.stdin?.write('\u0003')
    const { stdout } = await child.done
    expect(stdout).toContain(`still running; resume: ci builds watch acme/web#${build.number}`)
    expect(stdout).toContain('code 130')
    expect(stdout).not.toMatch(CLEARS)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
    expect(await readFile(join(home, 'after'), 'utf8')).toBe(
      await readFile(join(home, 'before'), 'utf8'),
    )
  })

  test.each([
    ['CI', { CI: 'true' }],
    ['an empty CI', { CI: '' }],
    ['CONTINUOUS_INTEGRATION', { CONTINUOUS_INTEGRATION: '1' }],
    ['PLAIN', { BUILDWIRE_PLAIN: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('prints plain lines under %s', async (_, more) => {
    const build = await newBuild('finished')
    const child = terminal(
      `ci builds watch ${build.number}`,
      { columns: 100, rows: 24 },
      { env: { ...env, ...more } },
    )
    const { stdout } = await child.done
    expect(stdout).toMatch(/Z build \d+: failed/u)
    expect(stdout).not.toContain('\u001b[?25l')
  })

  test('prints plain lines on a terminal of fewer than ten rows', async () => {
    const build = await newBuild('finished')
    const { stdout } = await terminal(
      `ci builds watch ${build.number}`,
      { columns: 100, rows: 9 },
      { env },
    ).done
    expect(stdout).toMatch(/Z build \d+: failed/u)
  })
})

describe.skipIf(!has('tmux'))('a window that changes its size (needs tmux)', () => {
  // The build of this frame does not change: tmux reports a new size some time after it has wrapped
  // the lines, and a frame that is drawn in between cannot be erased.
  test('redraws the frame once, in place', async () => {
    const build = await newBuild()
    const socket = `ci-test-${process.pid}`
    const tmux = (...args: string[]) =>
      start('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env, cwd: home }).done
    const command = `"${process.execPath}" "${BIN}" builds watch ${build.number} --interval 60s; sleep 60`
    try {
      await tmux('new-session', '-d', '-s', 'w', '-x', '120', '-y', '24', command)
      const screen = async (wanted: (text: string) => boolean) => {
        for (;;) {
          const { stdout } = await tmux('capture-pane', '-p', '-t', 'w')
          if (wanted(stdout)) return stdout
        }
      }
      await screen((text) => text.includes('poll 6') && text.includes('of 4 jobs'))
      await tmux('resize-window', '-t', 'w', '-x', '50', '-y', '24')
      const narrow = await screen((text) => text.includes('of 4 jobs') && !text.includes('poll'))
      expect(narrow.match(/#\d+ scheduled/gu), narrow).toHaveLength(1)
      await tmux('resize-window', '-t', 'w', '-x', '120', '-y', '24')
      const wide = await screen((text) => text.includes('poll 6'))
      expect(wide.match(/#\d+ scheduled/gu), wide).toHaveLength(1)
    } finally {
      await tmux('kill-server')
    }
  })
})
