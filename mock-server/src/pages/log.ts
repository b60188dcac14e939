import { logLines } from '@buildwire/sdk/contract'
import { html, raw } from 'hono/html'
import { withEmoji } from './names.js'
import { loadAnser } from './parsers.js'
import type { Child } from './record.js'

/** A page shows at most this many lines: the last ones, because a failure is near the end. */
const mostLines = 3_000

/** Control characters except tab and ESC, which begins a colour. */
const controls = /[\u0000-\u0008\u000a-\u001a\u001c-\u001f\u007f]/gu

/** What makes a line the header of a group, behind colours. It is not part of the heading. */
const HEADER = /^((?:\u001b\[[0-9;]*m)*)(---|\+\+\+|~~~|\^\^\^ \+\+\+)(?: |$)/u

interface LineGroup {
  /** Null for the lines before the first header. */
  readonly header: NumberedLine | null
  readonly lines: NumberedLine[]
  open: boolean
}

interface NumberedLine {
  readonly number: number
  readonly content: readonly Child[]
}

/**
 * Divides a log into groups, as real services do: `+++` starts an open group, `---` and `~~~` a
 * folded one, and `^^^ +++` opens the group before it.
 */
function groupsOf(text: string): {
  readonly groups: readonly LineGroup[]
  readonly leftOut: number
} {
  const lines = Array.from(logLines(text, 'colors'), (line) => line.text.replace(controls, ''))
  const leftOut = Math.max(0, lines.length - mostLines)
  const groups: LineGroup[] = [{ header: null, lines: [], open: true }]
  const marks = lines.slice(leftOut).map((line) => HEADER.exec(line)?.[2])
  const texts = lines.slice(leftOut).map(withoutMark)
  const spans = coloured(texts.join('\n'))
  for (const [index, content] of spans.entries()) {
    const number = leftOut + index + 1
    const last = groups.at(-1) as LineGroup
    const mark = marks[index]
    if (mark === '^^^ +++') {
      last.open = true
    } else if (mark !== undefined) {
      groups.push({ header: { number, content }, lines: [], open: mark === '+++' })
    } else {
      last.lines.push({ number, content })
    }
  }
  // The last group is open, because a reader looks for the end of the log.
  const last = groups.at(-1)
  if (last !== undefined) last.open = true
  return { groups, leftOut }
}

/** The header of a group as a heading; any other line as it is. */
function withoutMark(line: string): string {
  const [start, colours = ''] = HEADER.exec(line) ?? []
  return start === undefined ? line : colours + withEmoji(line.slice(start.length))
}

function coloured(text: string): Child[][] {
  const lines: Child[][] = [[]]
  const parts = loadAnser().ansiToJson(text, { use_classes: true, remove_empty: true })
  for (const { content, fg, bg, decorations } of parts) {
    const names = [
      fg && `${fg}-fg`,
      bg && `${bg}-bg`,
      ...(decorations ?? []).map((name) => `ansi-${name}`),
    ]
    const look = names.filter(Boolean).join(' ')
    for (const [index, part] of content.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '')
        lines.at(-1)?.push(look === '' ? part : html`<span class="${look}">${part}</span>`)
    }
  }
  return lines
}

function lineView({ number: n, content }: NumberedLine): Child {
  return html`<span class="line" id="L${n}"><a href="#L${n}" aria-label="Line ${n}">${n}</a><span>${content}</span></span>`
}

/** A job's log with colours and groups; each line has a link. */
export function logView(text: string): Child {
  const { groups, leftOut } = groupsOf(text)
  return html`<section class="log" tabindex="0" aria-label="Log">
    ${leftOut > 0 && html`<p class="note">${leftOut} lines before these are left out.</p>`}
    ${groups.map(({ header, lines, open }) => {
      if (header === null) return lines.map(lineView)
      const summary = html`<summary id="L${header.number}">${header.content.length === 0 ? 'Group' : header.content}</summary>`
      return html`<details${open && raw(' open=""')}>${summary}${lines.map(lineView)}</details>`
    })}
  </section>`
}
