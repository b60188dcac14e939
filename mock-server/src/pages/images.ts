import { html } from 'hono/html'
import { shownState } from './build.js'
import type { PageRequest } from './page-context.js'

function svg(c: PageRequest, text: ReturnType<typeof html>): Response {
  return c.body(String(text), 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  })
}

function fileId(c: PageRequest): string {
  return (c.req.param('file') ?? '').slice(0, -4).toLowerCase()
}

/** `/avatars/{user_id}.svg`: initials on a colour made from the id; no initials for unknown ids. */
export function avatar(c: PageRequest): Response {
  const id = fileId(c)
  const name = c.env.sandbox.store.state.get('users', id)?.name ?? ''
  const [first = '', second = ''] = name.split(/\s+/)
  const initials = [first, second].map((word) => [...word][0] ?? '').join('')
  const hue = Number.parseInt(id.replaceAll('-', '').slice(0, 4) || '0', 16) % 360 || 0
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
    <rect width="40" height="40" rx="20" fill="hsl(${hue} 45% 42%)"/>
    <g font-family="system-ui, sans-serif" font-size="16" font-weight="600" text-anchor="middle" fill="#fff">
      <text x="20" y="26">${initials.toUpperCase()}</text>
    </g>
  </svg>`
  return svg(c, picture)
}

const colours: Readonly<Record<string, string>> = {
  passed: '#17713a',
  failed: '#b3261e',
  failing: '#b3261e',
  unknown: '#525c69',
}

/** `/badges/{pipeline_id}.svg`: the state of the newest build of the default branch. */
export function pipelineBadge(c: PageRequest): Response {
  const { state } = c.env.sandbox.store
  const pipeline = state.get('pipelines', fileId(c))
  const newest = pipeline && state.builds(pipeline.id).run('branch', pipeline.default_branch).at(-1)
  const word = newest ? shownState(newest) : 'unknown'
  const width = 12 + word.length * 7
  const whole = 44 + width
  const middle = 44 + width / 2
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="build: ${word}">
    <rect width="${whole}" height="20" rx="4" fill="#3a424d"/>
    <rect x="44" width="${width}" height="20" rx="4" fill="${colours[word] ?? '#8a5a00'}"/>
    <g fill="#fff" font-family="DejaVu Sans, Verdana, sans-serif" font-size="11" text-anchor="middle">
      <text x="22" y="14">build</text><text x="${middle}" y="14">${word}</text>
    </g>
  </svg>`
  return svg(c, picture)
}
