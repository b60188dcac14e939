import type { ApiPromise, CiClient, CiClientOptions, TokenProvider } from '@buildwire/sdk'
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

/** What authorizes the requests of this run, and where it came from. */
export interface Credential {
  readonly auth: string | TokenProvider
  /** For messages: `BUILDWIRE_TOKEN`, or `the token of context acme in the system keyring`. */
  readonly label: string
  /** As the store knows it; empty for a token of the environment. */
  readonly scope: string
  /** The end of a token that is not renewed, as epoch milliseconds; null when none is known. */
  readonly expiresAt: number | null
}

/** What a run has before its command line is understood. */
export interface Runtime {
  readonly io: Io
  readonly clock: Clock
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  /** Reads the manifest; only help, hints and completion do. */
  readonly manifest: () => Promise<Manifest>
  /** Looks the login of a context up whose own server will be asked; null when none is stored. */
  readonly storedCredential: (
    context: Context,
    settings: ServerSettings,
  ) => Promise<Credential | null>
}

/**
 * What a command works with. Everything that costs something is made at its first use, and once.
 */
export interface Context extends TargetTools {
  readonly interrupts: Interrupts
  readonly redactor: Redactor
  readonly out: Printer
  readonly progress: Progress
  readonly looks: Looks
  /**
   * Whether a line of a terminal may be drawn again: it is no dumb one, nobody listens to it, and
   * it is not that of a CI.
   */
  readonly redraws: boolean
  /** Styles for stderr, where logins and prompts are told. */
  readonly stderrPaint: Paint
  readonly target: CommandTarget
  /**
   * A command line of this program that leads to the server and the context of this run, quoted for
   * a shell.
   */
  command(words: readonly (string | number)[]): Printable
  readonly manifest: () => Promise<Manifest>
  readonly version: string
  /** Opens a page for a person, or prints its address where no browser can be opened. */
  openPage(url: string): Promise<void>
  credential(): Promise<Credential>
  /** Lets errors name stdin as the place that the token came from. */
  usesTokenFromStdin(): void
  /** What a call to that client answers. */
  ask<T>(
    call: (ci: CiClient, options: { readonly signal: AbortSignal }) => ApiPromise<T>,
  ): Promise<ApiResult<T>>
  /** How requests to a server travel, for OAuth calls. */
  connectionTo(settings: Pick<ServerSettings, 'insecureHttp'>): Promise<Connection>
  clientOf(settings: ServerSettings, auth: string | TokenProvider): Promise<CiClient>
  /** What an error may refer to, as far as it is known already. */
  errorFacts(): RunFacts
}

/** How requests of this run travel, without a credential. */
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

export interface TypedCommand {
  readonly name: readonly string[]
  /** Null where they may hold what no log should show. */
  readonly words: readonly string[] | null
}
