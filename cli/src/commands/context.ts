import {
  type ContextFile,
  contextName,
  noContext,
  readContexts,
  type ServerContext,
} from '../config/contexts.js'
import { serverUrl } from '../config/server-url.js'
import { command } from '../context/base-command.js'
import { switchFlag, textArg, textFlag } from '../flags/flags.js'
import { CommandError, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { bytes, tsvLine } from '../io/machine.js'
import { blank, say } from '../io/printable.js'

export const list = command({
  summary: 'List the contexts',
  examples: ['ci context list', 'ci context list --json'],
  async execute({ io, out, notes }) {
    const { contexts, current } = await readContexts({ io, notes })
    const rows = [...contexts].map(([name, context]) => ({
      name,
      current: name === current,
      ...context,
    }))
    if (out.machine) return out.values(rows)
    if (rows.length === 0)
      return notes.note(say`No context is set; ci context set NAME --base-url URL makes one`)
    if (out.mode === 'id') return out.lines(rows.map(({ name }) => say`${name}`))
    if (out.mode === 'tsv') {
      const line = (row: (typeof rows)[number]) =>
        tsvLine([
          row.name,
          row.current,
          row.baseUrl,
          ...(row.org_slug === undefined ? [] : [row.org_slug]),
        ])
      return io.stdout.write(bytes(rows.map(line).join('')))
    }
    const width = Math.max(...rows.map(({ name }) => name.length))
    const line = ({ name, current, baseUrl, org_slug }: (typeof rows)[number]) => {
      const organization = org_slug ? `  ${org_slug}` : ''
      return say`${current ? '*' : ' '} ${name.padEnd(width)}  ${baseUrl}${organization}`
    }
    await out.lines(rows.map(line))
  },
})

export const show = command({
  summary: 'Show a context',
  examples: ['ci context show', 'ci context show acme --json'],
  args: { name: textArg({ description: 'A context (default: the current one)' }) },
  async execute({ io, out, notes }, { args, flags }) {
    const { contexts, current } = await readContexts({ io, notes })
    const name = args.name ?? flags.context ?? variable(io, 'CONTEXT') ?? current
    if (name === null) {
      throw new CommandError('configuration', say`no context is the default`, {
        hint: ['context', 'list'],
      })
    }
    const context = contexts.get(name)
    if (context === undefined) throw noContext(name, contexts)
    const shown = { name, current: name === current, ...context }
    await out.value(shown, () =>
      Object.entries(shown).flatMap(([key, value]) => {
        return value === undefined || value === false
          ? []
          : [say`${key.padEnd(12)}${String(value)}`]
      }),
    )
  },
})

export const use = command({
  summary: 'Make a context the default',
  examples: ['ci context use acme', 'ci context use local'],
  args: { name: textArg({ description: 'A context', required: true }) },
  async execute(context, { args: { name = '' } }) {
    const { contexts } = await readContexts(context)
    const server = contexts.get(name)
    if (server === undefined) throw noContext(name, contexts)
    const { makeCurrentContext } = await import('../config/own-files.js')
    await makeCurrentContext(context, name)
    context.notes.note(say`Context ${name} (${server.baseUrl}) is now the default`)
  },
})

export const set = command({
  summary: 'Create or change a context',
  description: 'The first context becomes the default. --org names the default organization.',
  examples: [
    'ci context set acme --base-url https://ci.example.test --org acme',
    'ci context set local --base-url http://127.0.0.1:4010',
  ],
  args: { name: textArg({ description: 'Letters, digits, . _ and -', required: true }) },
  flags: {
    'base-url': textFlag({ helpValue: 'URL', summary: 'The REST API' }),
    'auth-url': textFlag({ helpValue: 'URL', summary: 'The OAuth endpoints (the base URL)' }),
    'web-url': textFlag({ helpValue: 'URL', summary: 'The pages (the base URL)' }),
    'client-id': textFlag({ helpValue: 'ID', summary: 'The OAuth application for logins' }),
    vendor: textFlag({
      helpValue: 'WORD',
      summary: 'The word in the subject token type (buildwire)',
    }),
    'insecure-http': switchFlag({ summary: 'Allow http to another machine' }),
  },
  async execute(context, { args, flags }) {
    const name = contextName(args.name ?? '')
    let result = blank
    const change = (old: ServerContext | undefined, { current }: ContextFile): ServerContext => {
      const insecureHttp = flags['insecure-http'] ?? old?.insecureHttp
      const url = (flag: 'base-url' | 'auth-url' | 'web-url', stored: string | undefined) => {
        const typed = flags[flag]
        return typed === undefined ? stored : serverUrl(typed, `--${flag}`, insecureHttp === true)
      }
      const baseUrl = url('base-url', old?.baseUrl)
      if (baseUrl === undefined) throw usageError(say`a new context needs --base-url URL`)
      result = say`Context ${name} is ${baseUrl}${current === null ? ', and the default' : ''}`
      return {
        baseUrl,
        authUrl: url('auth-url', old?.authUrl),
        webUrl: url('web-url', old?.webUrl),
        client_id: flags['client-id'] ?? old?.client_id,
        org_slug: flags.org ?? old?.org_slug,
        vendor: flags.vendor ?? old?.vendor,
        insecureHttp: insecureHttp === true ? true : undefined,
      }
    }
    const { saveContext } = await import('../config/own-files.js')
    await saveContext(context, name, change, 'first')
    context.notes.note(result)
  },
})

const remove = command({
  summary: 'Delete a context',
  description: 'If the context has a token, log out first: ci auth logout --context NAME.',
  examples: ['ci context delete local', 'ci context delete old --quiet'],
  args: { name: textArg({ description: 'A context', required: true }) },
  async execute(context, { args: { name = '' } }) {
    const { contexts } = await readContexts(context)
    if (!contexts.has(name)) throw noContext(name, contexts)
    const { saveContext } = await import('../config/own-files.js')
    await saveContext(context, name, (old) => {
      if (old === undefined) throw noContext(name, contexts)
      if (old.store === undefined) return null
      throw usageError(say`context ${name} still has a token`, {
        hint: ['auth', 'logout', '--context', name],
      })
    })
    context.notes.note(say`Context ${name} is deleted`)
  },
})

export { remove as delete }
