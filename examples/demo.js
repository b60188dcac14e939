/**
 * The main features, end to end: a reference server in this process, and the real `ci` program as a
 * child process that uses it. Each command is printed before its output, so that you can repeat it.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer } from '@buildwire/mock-server'

const ci = fileURLToPath(new URL('../cli/bin/run.js', import.meta.url))
const publishedKey = fileURLToPath(new URL('keys/demo-token-exchange.private.pem', import.meta.url))
const subject = 'robin@acme.example'
const colour = process.stdout.isTTY && !process.env.NO_COLOR
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text) => (colour ? `\u001b[2m${text}\u001b[0m` : text)

const server = createMockServer({ seed: 'demo', lifecycle: { policy: 'timed', speed: 20 } })
const home = await mkdtemp(join(tmpdir(), 'buildwire-demo-'))
// After a checkout all users can read the key, and `ci` warns about such keys.
const key = join(home, 'demo-token-exchange.private.pem')
await writeFile(key, await readFile(publishedKey), { mode: 0o600 })
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

/** An argument as a user would type it. */
function shown(word) {
  const short =
    { [key]: 'examples/keys/demo-token-exchange.private.pem', [process.execPath]: '', [ci]: 'ci' }[
      word
    ] ?? word
  return /[\s()"']/.test(short) ? `'${short}'` : short
}

/** Runs `ci` with these arguments, prints the command and its output, and returns the output. */
async function run(args, { expect = 0, more = {}, onLine } = {}) {
  console.log(`\n${bold(`$ ci ${args.map(shown).filter(Boolean).join(' ')}`)}`)
  const child = spawn(process.execPath, [ci, ...args], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  if (code !== expect)
    throw new Error(`ci ${args.join(' ')} ended with exit code ${code}, expected ${expect}`)
  return output
}

const title = (text) => console.log(`\n${dim('──')} ${bold(text)}`)
/** Prints lines instead of a view that redraws itself, so that the output can be read later. */
const plain = { BUILDWIRE_FORCE_TTY: '' }
/** The build's number in a table of one row. */
const numberOf = (output) => /^\S \w+ +(\d+) /m.exec(output)?.[1] ?? ''

try {
  console.log(
    `${bold('Buildwire')} ${dim(`a reference server with sample data listens at ${url}`)}`,
  )
  title('The newest builds')
  await run(['builds', 'list', '--limit', '12'])
  await run(['builds', 'get', '@latest', '-p', 'acme/web'])

  title(
    'Start a build and follow it: it ends with exit code 11, because a person has to unblock the deployment',
  )
  const created = numberOf(
    await run([
      'builds',
      'create',
      '-p',
      'acme/web',
      '--branch',
      'main',
      '--commit',
      'HEAD',
      '-m',
      'Try the demo',
    ]),
  )
  await run(['builds', 'watch', `acme/web#${created}`, '--interval', '1s'], {
    expect: 11,
    more: plain,
  })

  title('Unblock the build and follow it to its end: exit code 0')
  await run(['jobs', 'unblock', `acme/web#${created}`, '--job', 'Deploy to production?'])
  await run(['builds', 'watch', `acme/web#${created}`, '--interval', '1s'], { more: plain })

  title('Cancel, rebuild, retry')
  const rebuilt = numberOf(await run(['builds', 'rebuild', `acme/web#${created}`]))
  await run(['builds', 'cancel', `acme/web#${rebuilt}`, '--cancel-reason', 'only a demo'])
  await run(['builds', 'retry', `acme/web#${rebuilt}`, '--state', 'canceled'])

  title('Test records and their labels')
  const suite = ['--suite', 'web-unit']
  await run(['tests', 'list', ...suite, '--limit', '3'])
  const found = await run([
    'tests',
    'find',
    ...suite,
    '--scope',
    'Account',
    '--name',
    'adds an item',
    '-o',
    'id',
  ])
  await run(['tests', 'label', ...suite, found.trim().split('\n').at(-1), '--add', 'flaky'])

  title('Log in on a device: the code is approved here as soon as it is shown')
  let approval
  await run(
    ['auth', 'login', '--client-id', 'demo-terminal', '--no-browser', '--insecure-storage'],
    {
      more: { ...plain, BUILDWIRE_TOKEN: '' },
      onLine(output) {
        const user_code = /[A-Z]{4}-[A-Z]{4}/.exec(output)?.[0]
        approval ??=
          user_code &&
          server.control.deviceAuthorizations.approve({
            user_code,
            user: subject,
            org_slug: 'acme',
          })
      },
    },
  )
  await approval
  await run(['auth', 'status'], { more: { BUILDWIRE_TOKEN: '' } })

  title('Act for a user: a signed assertion becomes a short-lived token')
  const exchange = [
    '--subject',
    subject,
    '--client-id',
    'demo-deploy-bot',
    '--key',
    key,
    '--kid',
    'demo-1',
  ]
  await run(['token', 'mint', ...exchange, '--scope', 'read_builds,read_user', '--dry-run'])
  await run([
    'token',
    'exec',
    ...exchange,
    '--',
    process.execPath,
    ci,
    'builds',
    'list',
    '--limit',
    '3',
  ])

  console.log(`\n${dim('Try it: npx ci server exec -- npx ci builds list')}`)
} finally {
  await server.close()
  await rm(home, { recursive: true, force: true })
}
