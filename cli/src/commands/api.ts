import { runApi } from '../api/run-api.js'
import { command } from '../context/base-command.js'
import { parsedFlags, switchFlag, textArg, textFlag, textsFlag } from '../flags/flags.js'
import { parseAssignment } from '../flags/key-value.js'

export const Command = command({
  summary: 'Send any request to the API and print its answer',
  description:
    'PATH counts from /v2/, or from the root when it starts with a slash; {org}, {pipeline} and {branch} are filled in. The body of the answer goes to stdout at every status, byte for byte. With fields the method is POST.',
  examples: [
    'ci api organizations/{org}/pipelines/{pipeline}/builds --paginate --jq length',
    'ci api graphql -f query="{ viewer { user { name } } }"',
  ],
  args: { path: textArg({ description: 'Path of the operation', required: true }) },
  flags: {
    method: textFlag({ char: 'X', helpValue: 'METHOD', summary: 'HTTP method (GET; with fields POST)' }),
    'raw-field': parsedFlags(parseAssignment, { char: 'f', helpValue: 'K=V', summary: 'Field of the body, as text' }),
    field: parsedFlags(parseAssignment, {
      char: 'F',
      helpValue: 'K=V',
      summary: 'Field of the body: true, false, null, integers and @FILE are read as such',
    }),
    header: textsFlag({ char: 'H', helpValue: 'NAME:VALUE', summary: 'Header of the request' }),
    input: textFlag({ helpValue: 'FILE|-', summary: 'Body from a file or stdin' }),
    include: switchFlag({ char: 'i', summary: 'Print status and headers too' }),
    paginate: switchFlag({ summary: 'Follow the pages and print one array' }),
    silent: switchFlag({ summary: 'Do not print the body' }),
  },
  async execute(context, { args, flags }) {
    await runApi(context, args.path ?? '', flags)
  },
})
