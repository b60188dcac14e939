import type {
  ApiPromise,
  CiClient,
  CiClientOptions,
  Middleware,
  TokenProvider,
} from '@buildwire/sdk'
import type { ServerSettings } from '../config/settings.js'
import type { Manifest } from '../help/manifest.js'
import type { Clock } from '../io/clock.js'
import type { Looks, Paint } from '../io/color.js'
import type { RunFacts } from '../io/error-report.js'
import type { Io } from '../io/io.js'
import type { Printable } from '../io/printable.js'
import type { Progress } from '../io/progress.js'
import type { Redactor } from '../io/redact.js'
import type { Interrupts } from '../io/signals.js'
import type { ApiResult, Printer } from '../views/print.js'
import type { CommandTarget } from './create-target.js'
import type { TargetTools } from './target.js'

/** The credential of this run's requests, and where it came from. */
export interface Credential {
  readonly auth: string | TokenProvider
  /** For messages: `BUILDWIRE_TOKEN`, or `the token of context acme in the system keyring`. */
  readonly label: string
  /** The stored scope; empty for a token of the environment. */
  readonly scope: string
  /** When a token that is not renewed expires, in epoch milliseconds; null if unknown. */
  readonly expiresAt: number | null
}

/** What a run has before its command line is parsed. */
export interface Runtime {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  /** Reads the manifest, which only help, hints and completion need. */
  readonly manifest: () => Promise<Manifest>
  /** The stored login of the context whose server the run uses; null if there is none. */
  readonly storedCredential: (
    context: Context,
    settings: ServerSettings,
  ) => Promise<Credential | null>
}

/** What a command works with. Expensive parts are made once, at their first use. */
export interface Context extends TargetTools {
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  readonly out: Printer
  readonly progress: Progress
  readonly looks: Looks
  /**
   * Whether a line of the terminal may be drawn again: not on a dumb terminal, not for a screen
   * reader, and not in a CI job.
   */
  readonly redraws: boolean
  /** Styles for stderr, where logins and prompts are shown. */
  readonly stderrPaint: Paint
  readonly target: CommandTarget
  /**
   * A command line of this program that leads to the server and the context of this run, quoted for
   * a shell.
   */
  command(words: readonly (string | number)[]): Printable
  readonly manifest: () => Promise<Manifest>
  readonly version: string
  /** Opens a page in a browser, or prints its address if no browser can be opened. */
  openPage(url: string): Promise<void>
  credential(): Promise<Credential>
  /** Makes errors say that the token came from stdin. */
  usesTokenFromStdin(): void
  /** Calls the client of this run; returns the data and the response. */
  ask<T>(
    call: (ci: CiClient, options: { readonly signal: AbortSignal }) => ApiPromise<T>,
  ): Promise<ApiResult<T>>
  /** The connection options for a server, for OAuth calls. */
  connectionTo(settings: Pick<ServerSettings, 'insecureHttp'>): Promise<Connection>
  /** A client of a server; `middleware` sees its requests last. */
  clientOf(
    settings: ServerSettings,
    auth: string | TokenProvider,
    middleware?: readonly Middleware[],
  ): Promise<CiClient>
  /** What an error report says about this run, as far as it is known. */
  errorFacts(): RunFacts
}

/** The client options of this run without a server and a credential. */
type Connection = Pick<
  CiClientOptions,
  | 'transport'
  | 'middleware'
  | 'allowInsecure'
  | 'timeoutMs'
  | 'maxRetries'
  | 'userAgent'
  | 'onEvent'
>

/** The command line as the user typed it. */
export interface TypedCommand {
  readonly name: readonly string[]
  /** Null if they may contain a secret. */
  readonly words: readonly string[] | null
}
