import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { commandCases } from './support/cases.js'
import { BIN, bareEnv, start } from './support/child.js'
import { startServer } from './support/server.js'

/** oclif's own frame around our commands: the program that `oclif` would have generated. */
const stock = `
import { flush, handle, run } from '@oclif/core'
await run(process.argv.slice(1), { root: ${JSON.stringify(fileURLToPath(new URL('../../cli', import.meta.url)))} })
  .then(() => flush(), handle)
`

/**
 * Words for commands that say more than a missing argument does, or that would act on the machine.
 */
const others: Readonly<Record<string, readonly string[]>> = {
  'builds watch': ['acme/web#925'],
  'builds logs': ['acme/web#926', '--failed'],
  'artifacts download': ['acme/web#926', '--path', 'no-such-file'],
  'token inspect': ['not-a-token'],
  'context set': ['staging', '--base-url', 'https://ci.example.test'],
  'context use': ['nowhere'],
  'auth login': ['--no-such-flag'],
  'keys generate': ['--no-such-flag'],
  'server start': ['--no-such-flag'],
  'server exec': ['--seed', 'empty', '--', process.execPath, '-p', '6 * 7'],
  'server prove': ['--list'],
  doctor: ['--offline', '-o', 'id'],
  completion: ['bash'],
}

const manifest = JSON.parse(
  readFileSync(new URL('../../cli/oclif.manifest.json', import.meta.url), 'utf8'),
)
const lines = Object.keys(manifest.commands as object).map((id) => {
  const name = id.replace(':', ' ')
  const known = commandCases.find((one) => one.name === name)
  return [...name.split(' '), ...(others[name] ?? known?.argv ?? [])]
})

/** Each side begins with a server of its own, the same but for its port. */
const outcome = async (words: readonly string[]) => {
  const { server, env, close } = await startServer()
  const cwd = fileURLToPath(new URL('../../cli', import.meta.url))
  const home = await bareEnv(env)
  const { code, stdout } = await start(process.execPath, words, { env: home, cwd }).done
  await close()
  const own = [server.baseUrl, env['BUILDWIRE_TOKEN'], home['HOME']].filter(
    (text) => text !== undefined,
  )
  return { code, stdout: own.reduce((text, each) => text.replaceAll(each, 'OWN'), stdout) }
}

it.each(lines.map((words) => [words.join(' '), words] as const))(
  'ci %s: the same under oclif’s run()',
  async (_, words) => {
    const [topic, verb] = words
    const ours = await outcome([BIN, ...words])
    const theirs = await outcome(['--input-type=module', '-e', stock, '--', ...words])
    expect(theirs, `${topic} ${verb}`).toEqual(ours)
  },
)
