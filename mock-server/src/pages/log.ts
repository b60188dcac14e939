import Anser from 'anser'
import { html, raw } from 'hono/html'
import type { Child } from './record.js'

/** Lines that a page shows at most: the last ones, where a failure stands. */
const mostLines = 3_000

/** Everything that steers a terminal but colours: time marks, links, titles, cursor moves. */
const steering =
  /\u001b(?:[\]_P^X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-9;?]*[@-ln-~]|[@-Z\\-~])|[\u0000-\u0008\u000b-\u000c\u000e-\u001a\u001c-\u001f\u007f]/gu

interface Group {
  /** The header's line; null for what stands before the first. */
  readonly header: Line | null
  readonly lines: Line[]
  open: boolean
}

interface Line {
  readonly number: number
  readonly content: readonly Child[]
}

/** A line that overwrote itself shows what it ended as. */
function settled(line: string): string {
  const text = line.replace(/\r+$/u, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/**
 * `+++` opens a group, `---` and `~~~` fold theirs, `^^^ +++` opens the one before: as logs of such
 * services do.
 */
function groupsOf(text: string): { readonly groups: readonly Group[]; readonly leftOut: number } {
  const lines = text.replace(steering, '').replace(/\n$/u, '').split('\n').map(settled)
  const leftOut = Math.max(0, lines.length - mostLines)
  const groups: Group[] = [{ header: null, lines: [], open: true }]
  const spans = coloured(lines.slice(leftOut).join('\n'))
  for (const [index, content] of spans.entries()) {
    const plain = lines[leftOut + index] ?? ''
    const number = leftOut + index + 1
    const last = groups.at(-1) as Group
    const [, mark] =
      /^(?:\u001b\[[0-9;]*m)*(---|\+\+\+|~~~|\^\^\^ \+\+\+)(?: |$)/u.exec(plain) ?? []
    if (mark === '^^^ +++') last.open = true
    else if (mark !== undefined)
      groups.push({ header: { number, content }, lines: [], open: mark === '+++' })
    else last.lines.push({ number, content })
  }
  // What happened last is what one looks for.
  const last = groups.at(-1)
  if (last !== undefined) last.open = true
  return { groups, leftOut }
}

function coloured(text: string): Child[][] {
  const lines: Child[][] = [[]]
  for (const { content, fg, bg, decorations } of Anser.ansiToJson(text, {
    use_classes: true,
    remove_empty: true,
  })) {
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

function lineView({ number: n, content }: Line): Child {
  return html`<span class="line" id="L${n}"><a href="#L${n}" aria-label="Line ${n}">${n}</a><span>${content}</span></span>`
}

/** A job's log: colours kept, groups folded, each line with an address. */
export function logView(text: string): Child {
  const { groups, leftOut } = groupsOf(text)
  return html`<section class="log" tabindex="0" aria-label="Log">
    ${leftOut > 0 && html`<p class="note">${leftOut} lines before these are left out.</p>`}
    ${groups.map(({ header, lines, open }) => {
      if (header === null) return lines.map(lineView)
      const summary = html`<summary id="L${header.number}">${header.content}</summary>`
      return html`<details${open && raw(' open=""')}>${summary}${lines.map(lineView)}</details>`
    })}
  </section>`
}
