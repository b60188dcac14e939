import { htmlText } from '@buildwire/sdk'
import type { Annotation } from '@buildwire/sdk/contract'
import { blank, type Printable, say } from '../io/printable.js'
import { wrap } from '../io/width.js'
import { type Mark, markOf, markText, softFailureMark } from './marks.js'
import type { View } from './view.js'

const LOOKS = new Map([
  ['success', markOf('passed')],
  ['warning', softFailureMark],
  ['error', markOf('failed')],
])
const INFO: Mark = { kind: 'unknown', mark: '·', ascii: '-', style: 'dim' }

/** Annotations below each other: style and name, then the text without its HTML. */
export function annotationList(notes: readonly Annotation[], view: View): readonly Printable[] {
  return notes.flatMap((note, at) => [...(at === 0 ? [] : [blank]), ...annotation(note, view)])
}

function annotation({ style, context, body_html }: Annotation, { looks, width }: View): Printable[] {
  const name = style ?? 'info'
  const look = LOOKS.get(name) ?? INFO
  const text = htmlText(body_html ?? '')
    .split('\n')
    .map((line) => say`${line}`)
  return [
    say`${looks.paint(look.style, say`${markText(look, looks)}${name}`)}  ${looks.paint('bold', say`${context ?? ''}`)}`,
    ...text.flatMap((line) => wrap(line, width - 2, null)).map((line) => say`  ${line}`),
  ]
}
