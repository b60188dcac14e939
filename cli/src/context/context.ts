import type { CiClient, CiEvent, ResponseInfo } from '@buildwire/sdk'
import type { Credential, StoredCredentialLookup } from '../config/credential.js'
import type { ProjectFile } from '../config/project-file.js'
import type { Settings } from '../config/settings.js'
import type { Output } from '../flags/global.js'
import type { Manifest } from '../help/manifest.js'
import type { Clock } from '../io/clock.js'
import type { ColorInputs, Looks, Paint } from '../io/color.js'
import type { ErrorFacts } from '../io/error-report.js'
import type { Io } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import type { Printable } from '../io/printable.js'
import type { Progress } from '../io/progress.js'
import type { Redactor } from '../io/redact.js'
import type { Interrupts } from '../io/signals.js'
import type { Printer } from '../views/print.js'
import type { Git } from './git/git.js'
import type { Target } from './target.js'

/** What a run has before its command line is understood. */
export interface Runtime {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  readonly manifest: () => Promise<Manifest>
  /** Looks a context's stored credential up. */
  readonly storedCredential: StoredCredentialLookup
}

/** The values of the global flags. */
export interface GlobalFlagValues {
  readonly pipeline?: { org_slug?: string | undefined; pipeline_slug: string } | undefined
  readonly org?: string | undefined
  readonly context?: string | undefined
  readonly output?: Output | undefined
  readonly json?: string | undefined
  readonly jq?: string | undefined
  readonly utc?: boolean | undefined
  readonly color?: ColorInputs['flag']
  readonly 'no-color'?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly debug?: string | undefined
  readonly 'no-input'?: boolean | undefined
  readonly 'no-pager'?: boolean | undefined
  readonly 'request-timeout'?: number | undefined
  readonly retries?: number | undefined
}

/** What a command works with. Everything that costs something is made at its first use, and once. */
export interface Context {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  /** Aborted by Ctrl-C and by a reader that went away; belongs into every request. */
  readonly signal: AbortSignal
  readonly redactor: Redactor
  readonly notes: Notes
  readonly out: Printer
  readonly progress: Progress
  readonly looks: Looks
  /** Styles for stderr, where logins and prompts are told. */
  readonly stderrPaint: Paint
  readonly git: Git
  readonly target: Target
  readonly noInput: boolean
  /** A command line of this program that leads to the server and the context of this run, quoted for a shell. */
  command(words: readonly (string | number)[]): Printable
  /** The command line of this run, with `words` behind the name of the command. */
  again(words: readonly (string | number)[]): Printable
  readonly manifest: () => Promise<Manifest>
  readonly version: string
  /** Opens a page for a person, or prints its address where no browser can be opened. */
  openPage(url: string): Promise<void>
  settings(): Promise<Settings>
  project(): Promise<ProjectFile | null>
  credential(): Promise<Credential>
  /** Lets errors name stdin as the place that the token came from. */
  usesTokenFromStdin(): void
  /** The client of this run's server, with this run's credential. */
  ci(): Promise<CiClient>
  /** For options of OAuth calls and of clients with another token. */
  connection(): Promise<Connection>
  /** The same for another context's server. */
  connectionTo(settings: Pick<Settings, 'insecureHttp'>): Promise<Connection>
  /** What an error may refer to, as far as it is known already. */
  errorFacts(): ErrorFacts
}

/** How requests of this run travel, without a credential. */
export interface Connection {
  readonly transport: import('@buildwire/sdk').Transport
  readonly middleware: readonly import('@buildwire/sdk').Middleware[]
  readonly allowInsecure: boolean
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly userAgent: string
  readonly onEvent: (event: CiEvent) => void
}

/** The command line of a run. */
export interface Typed {
  readonly name: readonly string[]
  /** Null where they may hold what no log should show. */
  readonly words: readonly string[] | null
}

/** The `Date` header of an answer, for ages by the server's clock. */
export function dateOf(response: Pick<ResponseInfo, 'headers'>): string | null {
  return response.headers.get('date')
}
