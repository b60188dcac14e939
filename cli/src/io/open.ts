import { spawn } from 'node:child_process'
import { safeUrl } from './hyperlink.js'
import { type Io, isNonInteractive, variable } from './io.js'
import type { Notes } from './notes.js'
import { say } from './printable.js'

/** Why a page is not opened in a browser here; null when it may be. */
export function whyNoBrowser(io: Io, noInput: boolean): string | null {
  if (isNonInteractive(io, noInput)) return 'nobody is at this terminal'
  if (io.env.SSH_CONNECTION) return 'this is a remote session'
  const hasDisplay = Boolean(io.env.DISPLAY || io.env.WAYLAND_DISPLAY || variable(io, 'BROWSER'))
  return io.platform === 'linux' && !hasDisplay ? 'there is no display' : null
}

/** The programs to try, in order; each gets the URL as its last argument. */
function openers(io: Io): readonly (readonly string[])[] {
  const own = variable(io, 'BROWSER')
  if (own !== undefined) return [own.split(/\s+/u)]
  if (io.platform === 'darwin') return [['open']]
  if (io.platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']]
  return [['wslview'], ['xdg-open']]
}

/** Opens a page in the person's browser, without a shell; a failure is one line with the address. */
export async function openPage(io: Io, notes: Notes, url: string): Promise<boolean> {
  const safe = safeUrl(url)
  if (safe === null) {
    notes.warn(say`the address is neither http nor https and was not opened`)
    return false
  }
  for (const [program = '', ...args] of openers(io)) {
    if (await starts(program, [...args, safe], io.env)) return true
  }
  notes.warn(say`no browser could be started; the page is ${safe}`)
  return false
}

function starts(program: string, args: readonly string[], env: Io['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'ignore', detached: true, env })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
