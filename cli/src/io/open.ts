import { commandWords, startProgram } from '@buildwire/mock-server/programs'
import { safeUrl } from './hyperlink.js'
import { type Io, isNonInteractive, variable } from './io.js'
import type { Notes } from './notes.js'
import { say } from './printable.js'

/** Why no browser can be opened here; null if one can. */
export function whyNoBrowser(io: Io, noInput: boolean): string | null {
  if (isNonInteractive(io, noInput)) return 'this is not an interactive terminal'
  if (io.env.SSH_CONNECTION) return 'this is a remote session'
  // Under WSL the browser runs on Windows.
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = io.env
  const canShow = Boolean(DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME || variable(io, 'BROWSER'))
  return io.platform === 'linux' && !canShow ? 'there is no display' : null
}

/** The programs to try, in order; each gets the URL as its last argument. */
async function openers(io: Io): Promise<readonly (readonly string[])[]> {
  const browser = variable(io, 'BROWSER')
  if (browser !== undefined) return [await commandWords(io, browser)]
  if (io.platform === 'darwin') return [['open']]
  if (io.platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']]
  return [['wslview'], ['xdg-open']]
}

/** Opens a page in a browser, without a shell; false after a warning with the address. */
export async function openPage(io: Io, notes: Notes, url: string): Promise<boolean> {
  const safe = safeUrl(url)
  if (safe === null) {
    notes.warn(say`the address is neither http nor https and was not opened`)
    return false
  }
  for (const words of await openers(io)) {
    const child = await startProgram(io, [...words, safe], {
      stdio: 'ignore',
      detached: true,
    }).catch(() => null)
    child?.unref()
    if (child !== null) return true
  }
  notes.warn(say`no browser could be started; the page is ${safe}`)
  return false
}
