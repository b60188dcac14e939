import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { harmed, list, node, type Proof, proofOf, prove, single } from './proof.js'

describe('the program', () => {
  const passes = ['-e', '']

  it('reports a command without requests at once, and shows the output of a failing one', async () => {
    const silent = await prove(['--seed', 'empty', ...node(...passes)])
    expect(silent.code).toBe(3)
    expect(silent.stderr).toContain(
      'passed, but it sent no request to the server: it has to take the address from BUILDWIRE_BASE_URL',
    )
    const failing = await prove([
      '--seed',
      'empty',
      ...node('-e', 'console.log("no luck"); process.exit(4)'),
    ])
    expect(failing.code).toBe(3)
    expect(failing.stderr).toMatch(
      /no luck\n.*the command fails without any fault: exit code 4; it sent no request to the server: /u,
    )
    expect(
      (await prove(['--seed', 'empty', ...node('-e', 'process.kill(process.pid, "SIGKILL")')]))
        .stderr,
    ).toContain('ended by SIGKILL')
    expect((await prove(['--seed', 'empty', '--', 'no-such-program'])).stderr).toContain(
      'cannot be run: no-such-program was not found',
    )
  })

  it('exits with 2 and names the argument that it cannot read', async () => {
    const refused = async (...argv: readonly string[]) => {
      const { code, stderr } = await prove(argv)
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused()).toContain('the command is missing; write it after --')
    expect(await refused('--only', 'nonsense/builds.get', ...node(...passes))).toContain(
      'there is no fault "nonsense',
    )
    expect(await refused('--budget', 'soon', ...node(...passes))).toContain(
      '--budget must be a number of rows',
    )
    expect(await refused('--jobs', '0', ...node(...passes))).toContain(
      '--jobs must be a whole number from 1 to 64',
    )
    expect(await refused('--port', '1', ...node(...passes))).toContain("unknown option '--port'")
    expect(await refused('--limit', '5', ...node(...passes))).toContain('--limit must be a time')
    const nowhere = join(tmpdir(), 'no-such-folder', 'prove.xml')
    expect(await refused('--junit', nowhere, ...node(...passes))).toContain('cannot be written')
  })

  it('exits with 3 if no row was tried, and writes why', async () => {
    const file = join(tmpdir(), `prove-nothing-${process.pid}.xml`)
    const words = ['--only', 'after-commit', '--json', '--junit', file, ...node(...single)]
    const { code, stdout, stderr } = await prove(words)
    expect(code).toBe(3)
    expect(stderr).toContain('nothing was tried: the command meets no row')
    expect((JSON.parse(stdout) as Proof).complaint).toContain('nothing was tried')
    expect(await readFile(file, 'utf8')).toContain('<failure message="nothing was tried')
    await rm(file)
  }, 240_000)

  it('leaves out rows beyond the budget, and names them', async () => {
    const { proof } = await proofOf(single, '--budget', '2')
    expect(proof.rows.map(({ id }) => id)).toEqual([
      'plain',
      `unavailable/${list}`,
      `rate-limited/${list}`,
    ])
    expect(proof.left.length).toBeGreaterThan(4)
    const except = await proofOf(
      single,
      '--except',
      'unavailable',
      '--except',
      `slow/${list}`,
      '--budget',
      '1',
    )
    expect(except.proof.rows.map(({ id }) => id)).toEqual(['plain', `rate-limited/${list}`])
    expect(except.proof.left).not.toContain(`slow/${list}`)
  }, 240_000)

  it('keeps a fault after a reset, and in every sandbox', async () => {
    const program = `
      const { BUILDWIRE_BASE_URL: base, BUILDWIRE_CONTROL_URL: control, BUILDWIRE_CONTROL_TOKEN: key } = process.env
      const ask = (url, method, token) => fetch(url, { method, headers: { authorization: 'Bearer ' + token } })
      await ask(control + '/reset', 'POST', key)
      const { baseUrl, accessTokens } = await (await ask(control + '/sandboxes', 'POST', key)).json()
      const { status } = await ask(baseUrl + '/v2/user', 'GET', accessTokens.admin)
      process.exitCode = status === 200 ? 0 : 1`
    const words = ['--json', '--only', 'bad-gateway', ...node('--input-type=module', '-e', program)]
    const { code, stdout } = await prove(words)
    expect(harmed(JSON.parse(stdout) as Proof).map(({ id }) => id)).toEqual([
      'bad-gateway/user.get',
    ])
    expect(code).toBe(1)
  }, 240_000)

  it('prints the results for people and writes them as JUnit', async () => {
    const file = join(tmpdir(), `prove-${process.pid}.xml`)
    const { code, stdout } = await prove([
      '--only',
      `unavailable/${list}`,
      '--junit',
      file,
      ...node(...single),
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}✗ unavailable {7}builds\.listForPipeline\n/u)
    expect(stdout).toMatch(/\+0\.000 s {2}GET \/v2\/\S+\?per_page=1 {2}503 {2}← the fault/u)
    expect(stdout).toContain(
      `Replay  ci-mock-server prove --only unavailable/${list} -- ${process.execPath} `,
    )
    expect(stdout).toContain('1 harmed, 0 survived')
    const xml = await readFile(file, 'utf8')
    await rm(file)
    expect(xml).toMatch(
      /<testcase classname="unavailable" name="unavailable\/\S+" time="[\d.]+"><failure message="[^"]+/u,
    )
    expect(xml).toContain('<testsuites name="prove" tests="1" failures="1" skipped="0">')
  }, 240_000)

  it('Ctrl-C prints the results so far, and leaves no process', async () => {
    // The grandchild writes its pid, and would run for a minute.
    const program = `
      const { spawn } = require('node:child_process')
      const sleeper = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
      console.error(sleeper.pid)
      fetch(process.env.BUILDWIRE_BASE_URL + '/v2/user', { headers: { authorization: 'Bearer ' + process.env.BUILDWIRE_TOKEN } })
        .then(({ status }) => (status === 200 ? process.exit(0) : require('node:fs').writeFileSync(process.env.PIDS, String(sleeper.pid))))`
    const pids = join(tmpdir(), `prove-${process.pid}.pid`)
    const words = [
      'prove',
      '--jobs',
      '1',
      '--only',
      'unavailable',
      '--only',
      'rate-limited',
      ...node('-e', program),
    ]
    const bin = fileURLToPath(new URL('../../mock-server/bin/run.js', import.meta.url))
    const child = spawn(process.execPath, [bin, ...words], { env: { ...process.env, PIDS: pids } })
    let text = ''
    child.stdout.on('data', (data) => {
      text += data
    })
    const ended = once(child, 'exit')
    await expect
      .poll(() => readFile(pids, 'utf8').catch(() => ''), { timeout: 50_000 })
      .toMatch(/^\d+$/u)
    const sleeper = Number(await readFile(pids, 'utf8'))
    await rm(pids)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(text).toContain('none harmed, 0 survived, 2 not run')
    // The process was killed; its entry in the process table is removed a moment later.
    const isThere = () => {
      try {
        return process.kill(sleeper, 0)
      } catch {
        return false
      }
    }
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false)
  }, 240_000)
})
