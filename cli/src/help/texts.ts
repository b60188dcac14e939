import { exitCodeTable } from '../io/exit-codes.js'
import { wrap } from '../io/width.js'

const WIDTH = 80

/** The texts of `ci help TOPIC`, by name. */
export function helpTexts(): Record<string, string> {
  return {
    environment: environmentText,
    'exit-codes': exitCodesText(),
    formatting: formattingText,
    filters: filtersText,
    contexts: contextsText,
    scopes: scopesText,
  }
}

function exitCodesText(): string {
  const rows = exitCodeTable.flatMap(({ code, name, when }) => {
    const [first = '', ...more] = wrap(when, WIDTH - 23).map(String)
    return [
      `  ${String(code).padStart(3)}  ${name.padEnd(14)}  ${first}`,
      ...more.map((line) => ' '.repeat(23) + line),
    ]
  })
  return `Exit codes

The same with and without --json.

${rows.join('\n')}
`
}

const environmentText = `Environment

An empty variable counts as unset. The first of these that has a value is used:
the flag, the variable, the project file, the context.

  BUILDWIRE_BASE_URL          the server's REST API
  BUILDWIRE_AUTH_URL          its OAuth endpoints (default: the base URL)
  BUILDWIRE_WEB_URL           its pages (default: the base URL)
  BUILDWIRE_VENDOR            the word in the subject token type (buildwire)
  BUILDWIRE_TOKEN             an access token, used instead of a stored one
  BUILDWIRE_ORG               organization
  BUILDWIRE_PIPELINE          pipeline, SLUG or ORG/SLUG
  BUILDWIRE_SUITE             test suite
  BUILDWIRE_CONTEXT           context
  BUILDWIRE_CLIENT_ID         OAuth application
  BUILDWIRE_CLIENT_SECRET     its secret, for confidential applications
  BUILDWIRE_PRIVATE_KEY       key for token mint, as text or base64 of it
  BUILDWIRE_PRIVATE_KEY_FILE  key for token mint, as a file
  BUILDWIRE_SUBJECT           user to mint a token for
  BUILDWIRE_OUTPUT            table, json, jsonl, tsv or id
  BUILDWIRE_NO_INPUT          never ask questions
  BUILDWIRE_NO_PAGER          never start a pager
  BUILDWIRE_PAGER             the pager (else PAGER, else less -FRX)
  BUILDWIRE_BROWSER           the program that opens pages
  BUILDWIRE_DEBUG             1, or http
  BUILDWIRE_CONFIG_DIR        one directory for configuration and cache
  BUILDWIRE_CREDENTIAL_STORE  auto, keyring or file
  BUILDWIRE_FORCE_TTY         act as on a terminal of this many columns
  BUILDWIRE_ASCII             only ASCII characters
  BUILDWIRE_PLAIN             words instead of drawings, for screen readers

NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM turn colour on or off.
HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name a proxy and its exceptions.
NODE_EXTRA_CA_CERTS adds trusted certificates. If CI is set, ci never asks.
`

const formattingText = `Formatting

On a terminal ci prints tables, in a pipe tab-separated lines with fixed columns
and full values, without a header. --json prints the unchanged objects of the
API, --json=FIELDS some of their fields, -o jsonl one object per line, page by
page, and -o id numbers. --jq runs jq on the output of --json.

  The newest failed build of a branch
    ci builds list -b main --failed -L 1 -o id
  One line per build
    ci builds list --jq '.[] | "\\(.number)\\t\\(.state)"'
  Comma-separated values
    ci builds list --jq '.[] | [.number, .state, .branch] | @csv'
  Builds by state
    ci builds list --all --jq 'group_by(.state)[] | "\\(length) \\(.[0].state)"'
  Age in minutes
    ci builds list --jq '.[] | "\\(.number) \\(((now -
      (.created_at | sub("[.][0-9]+"; "") | fromdate)) / 60) | floor) min"'

Write a value that begins with a dash with =: --message=--json.
`

const filtersText = `Filters of builds list

Values of one filter are alternatives; different filters must all match.

  -b, --branch       exact, or with * for any characters: 'release/*'
  -c, --commit       a full SHA; git resolves short SHAs and refs
  -s, --state        a state; finished means passed, failed, blocked and
                     canceled; failed does not match a build that is failing
      --failed       failed and failing
      --creator      a user's UUID, @me, or a name that the newest builds show
  -M, --meta-data    KEY=VALUE
      --created-from --created-to --finished-from
                     2026-03-01, 2026-03-01T09:05:00Z, 2h, 3d, 1w, today,
                     yesterday; a time without an offset is local

The server decides which states exist. If it does not know a state, it lists
the states that it knows.
`

const contextsText = `Contexts

A context is the name of a server with its settings: its URLs, the OAuth
application for logins, and an organization. One context is the default.

  ci context set acme --base-url https://ci.example.test --org acme
  ci context use acme
  ci builds list --context acme

ci sends a token only to the origin that it was issued for. If BUILDWIRE_TOKEN
is set, ci uses it; with --context it uses the token of that context.
.buildwire.json in a repository may only set org_slug, pipeline_slug, suite_slug
and output.
`

const scopesText = `Scopes

  read_builds         builds list, get, watch, open; why; jobs list, get;
                      status; browse; annotations list; server capture
  write_builds        builds create, cancel, rebuild, retry;
                      jobs retry, unblock; annotations create
  read_build_logs     builds logs
  read_artifacts      artifacts list, download
  read_suites         tests list, get, find
  write_suites        tests label
  read_pipelines      pipelines list, get; finding the pipeline of a repository
  read_organizations  organizations list; finding your only organization
  read_user           auth status; your builds in status; --creator @me
  graphql             api graphql

Without --scope a login requests read_builds, write_builds, read_suites,
read_build_logs and read_artifacts, without the last two if a service does not
know them. The help of each command names the scopes that it needs.
`
