import { readFileSync } from 'node:fs'
import type { LogLine } from '../base/log.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { parseTime } from '../http/query.js'
import type { MockServerOptions } from '../sandbox/options.js'
import type { SeedOption } from '../seed/seed.js'
import type { Settings } from '../seed/settings.js'
import { lowdbDirectory } from '../store/lowdb-directory.js'
import { UsageError } from './exit-codes.js'
import type { StartFlags } from './flags.js'

export function optionsFrom(flags: StartFlags, log: (line: LogLine) => void): MockServerOptions {
  const { controlToken, remote = false } = flags
  if (controlToken !== undefined && controlToken.length < 16) {
    throw new UsageError('--control-token must have at least 16 characters')
  }
  if (remote && controlToken === undefined)
    throw new UsageError('--remote needs a --control-token of your own')
  if (flags.dataDir?.trim() === '') throw new UsageError('--data-dir must name a directory')
  return {
    ...settingsFrom(flags),
    baseUrl: url('base-url', flags.baseUrl),
    authUrl: url('auth-url', flags.authUrl),
    webUrl: url('web-url', flags.webUrl),
    seed: seedFrom(flags.seed),
    clock: clockFrom(flags.clock),
    randomSeed: /^\d+$/.test(flags.randomSeed) ? Number(flags.randomSeed) : flags.randomSeed,
    lifecycle:
      flags.lifecycle === 'timed'
        ? { policy: 'timed', speed: flags.speed }
        : { policy: flags.lifecycle },
    persistence:
      flags.dataDir === undefined
        ? undefined
        : lowdbDirectory(flags.dataDir, {
            onRecovered: (bytes) => log({ level: 'warn', msg: 'recovered', bytes }),
            onCompactionFailed: (reason) =>
              log({ level: 'error', msg: 'compactionFailed', reason: String(reason) }),
          }),
    controlToken,
    allowHosts: flags.allowHost,
    remote,
    cors: corsFrom(flags.cors),
    sandboxes: { max: flags.maxSandboxes },
    accessTokens: flags.accessToken === undefined ? undefined : { admin: flags.accessToken },
    strict: flags.strict,
    log,
  }
}

function url(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new UsageError(`--${flag} must be an http or https URL`)
}

function seedFrom(seed: string): SeedOption {
  return seed === 'empty' || seed === 'demo' || /^large:\d+$/.test(seed)
    ? (seed as SeedOption)
    : { file: seed }
}

function corsFrom(cors: string): NonNullable<MockServerOptions['cors']> {
  if (cors === '*') return '*'
  return cors === 'off' || cors === 'false' ? false : cors.split(',').map((origin) => origin.trim())
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function clockFrom(text: string): VirtualClock {
  if (text === 'real') return new VirtualClock({ mode: 'real' })
  if (text === 'frozen') return new VirtualClock()
  const [, frozenAt] = /^frozen:(.+)$/.exec(text) ?? []
  const now = frozenAt === undefined ? null : parseTime(frozenAt)
  if (now !== null) return new VirtualClock({ now })
  const [, sign, parts] = /^offset:([+-]?)((?:\d+[smhd])+)$/.exec(text) ?? []
  if (parts === undefined)
    throw new UsageError('--clock must be real, frozen, frozen:<ISO time> or offset:-3d')
  const offset = [...parts.matchAll(/(?<!\d)(\d+)([smhd])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0),
    0,
  )
  return new VirtualClock({ mode: 'offset', offsetMs: sign === '-' ? -offset : offset })
}

function settingsFrom({ set, vendor }: StartFlags): Partial<Settings> {
  const settings: Record<string, unknown> = vendor === undefined ? {} : { vendor }
  for (const pair of set) {
    const mark = pair.indexOf('=')
    if (mark < 1) throw new UsageError(`--set must be key=value, not ${JSON.stringify(pair)}`)
    settings[pair.slice(0, mark)] = settingValue(pair.slice(mark + 1))
  }
  return settings as Partial<Settings>
}

function settingValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Certificate and key from their files. @throws UsageError */
export function tlsFrom({
  tlsCert,
  tlsKey,
}: StartFlags): { readonly cert: string; readonly key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key go together')
  try {
    return { cert: readFileSync(tlsCert, 'utf8'), key: readFileSync(tlsKey, 'utf8') }
  } catch (error) {
    throw new UsageError(
      `--tls-cert, --tls-key: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
