/**
 * The main job, end to end: a reference server in this process, and the real `ci` program as a child process against it.
 * Every command is shown before its output, so that each can be typed by hand afterwards.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer } from '@buildwire/mock-server'

const ci = fileURLToPath(new URL('../cli/bin/run.js', import.meta.url))
const colour = process.stdout.isTTY && !process.env.NO_COLOR
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text) => (colour ? `\u001b[2m${text}\u001b[0m` : text)

const server = createMockServer({ seed: 'demo', lifecycle: { policy: 'timed', speed: 20 } })
const home = await mkdtemp(join(tmpdir(), 'buildwire-demo-'))
const { url } = await server.listen({ port: 0 })
const { accessTokens } = await server.ready()

const env = {
  PATH: process.env.PATH,
  HOME: home,
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  BUILDWIRE_CONFIG_DIR: join(home, 'config'),
  BUILDWIRE_BASE_URL: url,
  BUILDWIRE_TOKEN: accessTokens.admin,
  BUILDWIRE_ORG: 'acme',
  BUILDWIRE_FORCE_TTY: String(Math.min(process.stdout.columns ?? 100, 120)),
  ...(colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
}

/** Runs `ci` with these words, shows both, and answers with its exit code and what it printed. */
async function run(args, { expect = 0, more = {}, onLine } = {}) {
  console.log(`\n${bold(`$ ci ${args.map((word) => (/[\s()"']/.test(word) ? `'${word}'` : word)).join(' ')}`)}`)
  const child = spawn(process.execPath, [ci, ...args], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      process.stdout.write(text)
      output += text
      onLine?.(output)
    })
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== expect) throw new Error(`ci ${args.join(' ')} ended with exit code ${code}, expected ${expect}`)
  return output
}

try {
  console.log(`${bold('Buildwire')} ${dim(`a reference server with sample data listens at ${url}`)}`)
  await run(['builds', 'list', '--limit', '12'])
  await run(['builds', 'list', '-p', 'acme/web', '--state', 'failed', '--limit', '3'])
  await run(['builds', 'get', '@latest', '-p', 'acme/web'])
  console.log(`\n${dim('Yours to try: npx ci server exec -- npx ci builds list')}`)
} finally {
  await server.close()
  await rm(home, { recursive: true, force: true })
}
