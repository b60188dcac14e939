#!/usr/bin/env node
'use strict'
// CommonJS, because Node starts it sooner than a module: the quick answers stand alone, the program
// is imported late.
const { readFileSync, writeSync } = require('node:fs')
const { isAbsolute, join } = require('node:path')

const argv = process.argv.slice(2)

/** Writes without the machinery of a stream, which costs a third of a quick answer. */
const write = (text) => writeSync(1, text)

function answersVersion() {
  if (argv.length !== 1 || !['--version', '-v', 'version'].includes(argv[0])) return false
  try {
    write(`ci ${require('../package.json').version}\n`)
    return true
  } catch {
    // Full or closed: the program knows what to say of that.
    return false
  }
}

async function run() {
  const { enableCompileCache } = require('node:module')
  const { homedir } = require('node:os')
  const { env } = process
  // oclif would start PowerShell to find the shell's name.
  if (process.platform === 'win32') env.SHELL ??= env.COMSPEC
  const cache = env.BUILDWIRE_CONFIG_DIR
    ? join(env.BUILDWIRE_CONFIG_DIR, 'cache')
    : join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'buildwire')
  // A relative one would lie wherever the program happens to be started.
  if (isAbsolute(cache)) enableCompileCache?.(join(cache, 'compile'))
  const program = await import('../dist/main.js')
  await program.run(argv, (name) => JSON.parse(readFileSync(join(__dirname, '..', name), 'utf8')))
}

if (argv[0] === '__complete') {
  require('../dist/complete.cjs').complete(
    argv.slice(1),
    join(__dirname, '../oclif.manifest.json'),
    write,
  )
} else if (!answersVersion()) {
  run()
}
