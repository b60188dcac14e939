import { saveContext } from '../../config/change-contexts.js'
import { type ContextFile, contextName, type ServerContext } from '../../config/contexts.js'
import { serverUrl } from '../../config/server-url.js'
import { command } from '../../context/base-command.js'
import { switchFlag, textArg, textFlag } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'
import { blank, say } from '../../io/printable.js'

export const Command = command({
  summary: 'Make a context, or change it',
  description: 'The first context becomes the default. --org names the organization to start from.',
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
    vendor: textFlag({ helpValue: 'WORD', summary: 'The word in the subject token type (buildwire)' }),
    'insecure-http': switchFlag({ summary: 'Allow http to a host that is not this machine' }),
  },
  async execute(context, { args, flags }) {
    const name = contextName(args.name ?? '')
    let told = blank
    const change = (old: ServerContext | undefined, { current }: ContextFile): ServerContext => {
      const insecureHttp = flags['insecure-http'] ?? old?.insecureHttp
      const url = (flag: 'base-url' | 'auth-url' | 'web-url', kept: string | undefined) =>
        flags[flag] === undefined ? kept : serverUrl(flags[flag], `--${flag}`, insecureHttp === true)
      const baseUrl = url('base-url', old?.baseUrl)
      if (baseUrl === undefined) throw usageError(say`a new context needs --base-url URL`)
      told = say`Context ${name} is ${baseUrl}${current === null ? ', and the default' : ''}`
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
    await saveContext(context, name, change, 'first')
    context.notes.note(told)
  },
})
