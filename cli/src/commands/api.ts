import { apiFlags } from '../api/body.js'
import { runApi } from '../api/run-api.js'
import { command } from '../context/base-command.js'
import { textArg } from '../flags/flags.js'

export const api = command({
  summary: 'Send any request to the API and print the response',
  description:
    'PATH is relative to /v2/, or to the root if it starts with a slash; {org}, {pipeline} and ' +
    '{branch} are replaced. The body of the response goes to stdout with every status, byte ' +
    'for byte. With fields the method is POST.',
  examples: [
    'ci api organizations/{org}/pipelines/{pipeline}/builds --paginate --jq length',
    'ci api graphql -f query="{ viewer { user { name } } }"',
  ],
  args: { path: textArg({ description: 'Path of the operation', required: true }) },
  flags: apiFlags,
  async execute(context, { args, flags }) {
    await runApi(context, args.path ?? '', flags)
  },
})
