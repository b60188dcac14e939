import { describe, expect, it } from 'vitest'
import { runChild } from './support/child.js'

describe('server exec', () => {
  it('runs a program beside a server of its own and exits as it does', async () => {
    const script =
      'ci="$1"; node "$ci" builds list -o id -L 2 && test "$BUILDWIRE_ORG" = acme && test -n "$BUILDWIRE_CONTROL_TOKEN" && exit 7'
    const { BIN } = await import('./support/child.js')
    const { code, stdout, stderr } = await runChild(['server', 'exec', '--', 'sh', '-c', script, 'sh', BIN])
    expect(stdout).toMatch(/^acme\/[\w-]+#\d+\nacme\/[\w-]+#\d+\n$/u)
    expect({ code, stderr }).toEqual({ code: 7, stderr: 'acme (BUILDWIRE_ORG)\n' })
  })

  it('hands words over unchanged and in order, and keeps our settings to ourselves', async () => {
    const words = ['a', 'b', 'a', '--json', '-h', '']
    const print =
      'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.NODE_ENV, process.env.FORCE_COLOR]))'
    const { stdout } = await runChild(
      ['server', 'exec', '--seed', 'empty', '--', 'node', '-e', print, '--', ...words],
      {
        env: { NODE_ENV: 'test' },
      },
    )
    expect(JSON.parse(stdout)).toEqual([words, 'test', null])
  })

  it('a walk goes on at the name of this machine that it began at', async () => {
    const { BIN } = await import('./support/child.js')
    const script =
      'BUILDWIRE_BASE_URL=$(echo "$BUILDWIRE_BASE_URL" | sed s/127.0.0.1/localhost/) node "$1" builds list -o id --limit 40'
    const { code, stdout } = await runChild(['server', 'exec', '--', 'sh', '-c', script, 'sh', BIN])
    expect({ code, builds: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, builds: 40 })
  })

  it('its program reaches the server where every other request goes through a proxy', async () => {
    const { BIN } = await import('./support/child.js')
    const proxy = 'http://127.0.0.1:9'
    const words = ['server', 'exec', '--', 'node', BIN, 'builds', 'list', '-o', 'id', '--limit', '1']
    const env = { HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: 'ci.example' }
    expect(await runChild(words, { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^acme\/\S+#\d+\n$/u),
    })
    const told = await runChild(['server', 'exec', '--seed', 'empty', '--', 'printenv', 'no_proxy'], { env })
    expect(told.stdout).toMatch(/^ci\.example,127\.0\.0\.1,localhost,/u)
  })

  it('says which programs cannot be run', async () => {
    expect(await runChild(['server', 'exec', '--seed', 'empty', '--', 'no-such-program'])).toMatchObject({ code: 127 })
    expect(await runChild(['server', 'exec', '--seed', 'empty', '--', '/'])).toMatchObject({ code: 126 })
    expect(await runChild(['server', 'exec'])).toMatchObject({ code: 2, stdout: '' })
    expect(await runChild(['server', 'exec', '--seed', 'empty', '--', 'sh', '-c', 'kill -TERM $$'])).toMatchObject({
      code: 143,
    })
  })
})

describe('server start', () => {
  it('hands its arguments over: help is the server’s, and so are its refusals', async () => {
    const help = await runChild(['server', 'start', '--help'])
    expect(help.code).toBe(0)
    expect(help.stdout).toContain('Usage: ci server start')
    const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^ci server: /u) }
    expect(await runChild(['server', 'start', '--no-such-flag'])).toMatchObject(refused)
    expect(await runChild(['server', 'prove', '--only', 'no'])).toMatchObject(refused)
    expect(await runChild(['server', 'exec', '--seed', 'no', '--', 'true'])).toMatchObject(refused)
  })

  it('says ready on stdout and stops on a signal, with 0', async () => {
    const result = await runChild(['server', 'start', '--port', '0', '--seed', 'empty', '--log', 'off'], {
      onSpawn: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
    })
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ event: 'ready', seed: 'empty' })
  })
})
