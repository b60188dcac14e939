#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

// Only node: imports stand above: a static import of the program would be hoisted over the quick answers.
const root = new URL('../', import.meta.url)
const argv = process.argv.slice(2)
const isVersion = argv.length === 1 && ['--version', '-v', 'version'].includes(argv[0] ?? '')

if (isVersion) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  process.stdout.write(`ci ${version}\n`)
} else if (argv[0] === '__complete') {
  const { complete } = await import(new URL('dist/complete.js', root).href)
  await complete(argv.slice(1), root)
} else {
  // oclif would start PowerShell to find the shell's name.
  if (process.platform === 'win32') process.env.SHELL ??= process.env.COMSPEC
  const moved = process.env.BUILDWIRE_CONFIG_DIR
  const cache = moved
    ? join(moved, 'cache')
    : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'buildwire')
  module.enableCompileCache?.(join(cache, 'compile'))
  const { run } = await import(new URL('dist/main.js', root).href)
  await run(argv, root)
}
