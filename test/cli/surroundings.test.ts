import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareEnv, emptyEnv, runChild, shell } from './support/child.js'
import { runCli } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()

const directory = () => mkdtemp(join(tmpdir(), 'ci-surroundings-'))
const LIST = 'builds list -p acme/web -L 1 -o id'

/** A directory whose own configuration would choose another server. */
async function trap(): Promise<string> {
  const cwd = await directory()
  for (const place of ['.config/buildwire', 'x/.config/buildwire', 'x/buildwire']) {
    await mkdir(join(cwd, place), { recursive: true })
    const contexts = { evil: { baseUrl: 'https://evil.example.test' } }
    await writeFile(
      join(cwd, place, 'config.json'),
      JSON.stringify({ version: 1, current: 'evil', contexts }),
    )
  }
  return cwd
}

describe('a home directory', () => {
  it.each([{ HOME: '' }, { HOME: 'x' }, { XDG_CONFIG_HOME: 'x' }])(
    'that is no absolute path does not let the current directory choose the server: %j',
    async (env: Record<string, string>) => {
      const cwd = await trap()
      const { code, stdout } = await runChild(['doctor', '--offline', '--json'], { env, cwd })
      expect(stdout).not.toContain('evil')
      const config = (JSON.parse(stdout) as { name: string; value: string }[]).find(
        ({ name }) => name === 'config',
      )
      const home =
        'HOME' in env ? userInfo().homedir : /^.*(?=\/\.config)/u.exec(config?.value ?? '')?.[0]
      expect(config?.value).toBe(join(home ?? homedir(), '.config/buildwire/config.json'))
      expect([0, 1]).toContain(code)
    },
  )

  it.each(['/dev/null', '/nonexistent'])(
    'that cannot hold files (%s) matters to no list',
    async (home) => {
      expect(await runCli(LIST.split(' '), { home, cwd: '/', env: started.env })).toMatchObject({
        code: 0,
        stderr: '',
      })
      expect(await runCli(['context', 'list'], { home, cwd: '/' })).toMatchObject({ code: 0 })
    },
  )

  it.skipIf(!existsSync('/proc/self'))(
    'in which nothing can be made is told, and not waited for (Linux)',
    async () => {
      const home = '/proc/self/nowhere'
      for (const place of [home, '/dev/null']) {
        const { code, stderr } = await runCli(
          ['context', 'set', 'a', '--base-url', 'https://ci.example.test'],
          {
            home: place,
            cwd: '/',
          },
        )
        expect(code).toBe(78)
        expect(stderr).toContain(`cannot write ${place}/.config/buildwire (`)
      }
    },
  )
})

describe.skipIf(!existsSync('/dev/zero'))('an input without an end', () => {
  const create = 'builds create -p acme/web -b main -c HEAD'
  it.each([
    `ci ${create} --from-json /dev/zero`,
    `yes | ci ${create} --message-file -`,
    `yes | ci token inspect`,
    'ci keys generate --out k.pem --jwks /dev/zero',
    'ci token mint --client-id x --subject kim@acme.example --key /dev/zero --dry-run',
  ])('is refused once it is larger than any request: %s', async (line) => {
    const cwd = await directory()
    const { code, stdout, stderr } = await shell(line, {
      env: { ...emptyEnv(cwd), ...started.env },
      cwd,
    }).done
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('holds more than 64 MiB')
  })
})

it('works in a directory that was removed meanwhile', async () => {
  const cwd = await directory()
  const env = { ...emptyEnv(await directory()), ...started.env }
  const line = `cd ${cwd} && rmdir ${cwd} && ci ${LIST}`
  expect(await shell(line, { env }).done).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\n$/u),
  })
  await rm(cwd, { recursive: true, force: true })
})

it('answers --version beside other global flags', async () => {
  const { code, stdout } = await shell('ci --no-color --version', { env: await bareEnv() }).done
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^ci \d+\.\d+\.\d+\n$/u),
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk (Linux)', () => {
  it.each([LIST, 'builds list -p acme/web --json', '--version', 'help', 'completion bash'])(
    'is told in one line, with exit code 3: %s',
    async (line) => {
      const env = { ...(await bareEnv()), ...started.env }
      const { code, stderr } = await shell(`ci ${line} > /dev/full`, { env }).done
      expect(code).toBe(3)
      expect(stderr).toContain('cannot write to stdout (ENOSPC)')
      expect(stderr).not.toContain('    at ')
    },
  )
})
