import { htmlText } from '@buildwire/sdk'
import type { Annotation } from '@buildwire/sdk/contract'
import type { Style } from '../io/color.js'
import { blank, type Printable, say } from '../io/printable.js'
import { wrap } from '../io/width.js'
import type { View } from './view.js'

const LOOKS: Readonly<Record<string, { mark: string; ascii: string; style: Style }>> = {
  success: { mark: '✓', ascii: '+', style: 'green' },
  warning: { mark: '!', ascii: '!', style: 'yellow' },
  error: { mark: '✗', ascii: 'x', style: 'red' },
}
const INFO = { mark: '·', ascii: '-', style: 'dim' } as const

/** Annotations below each other: style and name, then the text without its HTML. */
export function annotationList(notes: readonly Annotation[], view: View): readonly Printable[] {
  return notes.flatMap((note, at) => [...(at === 0 ? [] : [blank]), ...annotation(note, view)])
}

function annotation({ style, context, body_html }: Annotation, { looks, width }: View): Printable[] {
  const name = style ?? 'info'
  const look = (Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined) ?? INFO
  const mark = looks.plain ? '' : `${looks.ascii ? look.ascii : look.mark} `
  const text = htmlText(body_html ?? '')
    .split('\n')
    .map((line) => say`${line}`)
  return [
    say`${looks.paint(look.style, say`${mark}${name}`)}  ${looks.paint('bold', say`${context ?? ''}`)}`,
    ...text.flatMap((line) => wrap(line, width - 2, null)).map((line) => say`  ${line}`),
  ]
}
