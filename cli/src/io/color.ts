import { styleText } from 'node:util'
import { type Io, type OutputStream, variableOn } from './io.js'
import { joined, type Printable } from './printable.js'
import { made } from './printable-maker.js'

/** The few styles this program uses; `plain` changes nothing, `alarm` is red and bold. */
export type Style =
  | 'green'
  | 'red'
  | 'alarm'
  | 'yellow'
  | 'magenta'
  | 'cyan'
  | 'dim'
  | 'bold'
  | 'plain'

/** Puts a style on a text, or leaves it alone on a stream without colour. */
export type Paint = (style: Style, text: Printable | string) => Printable

export interface ColorInputs {
  readonly flag: 'auto' | 'always' | 'never' | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTTY: boolean
}

/** Whether a stream gets colour: by the flag, then by the variables, then if it is a terminal. */
export function hasColor({ flag, env, isTTY }: ColorInputs): boolean {
  if (flag === 'always') return true
  if (flag === 'never') return false
  if (isSet(env.NO_COLOR)) return false
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (isSet(env.CLICOLOR_FORCE) && env.CLICOLOR_FORCE !== '0') return true
  if (env.CLICOLOR === '0') return false
  if (env.TERM === 'dumb') return false
  return isTTY
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

export function painter(enabled: boolean): Paint {
  return (style, input) => {
    const text = joined([input])
    const plain = String(text)
    if (!enabled || style === 'plain' || plain === '') return text
    const format: Parameters<typeof styleText>[0] = style === 'alarm' ? ['red', 'bold'] : style
    return made(styleText(format, plain, { validateStream: false }))
  }
}

export interface Looks {
  /** ASCII marks and dots, no emoji. */
  readonly ascii: boolean
  /** Words and `label: value` lines for screen readers; nothing is redrawn. */
  readonly plain: boolean
  /** Times in UTC instead of the local zone. */
  readonly utc: boolean
  readonly paint: Paint
}

/** Whether only ASCII may be written: asked for, or no locale variable names UTF-8. */
export function isAscii(io: Pick<Io, 'env' | 'platform'>): boolean {
  if (variableOn(io, 'ASCII')) return true
  const locale = [io.env.LC_ALL, io.env.LC_CTYPE, io.env.LANG].find(
    (value) => value !== undefined && value !== '',
  )
  return locale !== undefined && !/utf-?8/iu.test(locale)
}

export function isPlain(io: Pick<Io, 'env'>): boolean {
  return variableOn(io, 'PLAIN') || isSet(io.env.INK_SCREEN_READER)
}

export function paintFor(io: Io, stream: OutputStream, flag: ColorInputs['flag']): Paint {
  return painter(hasColor({ flag, env: io.env, isTTY: stream.isTTY }))
}
