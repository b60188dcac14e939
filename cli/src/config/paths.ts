import { isAbsolute, join } from 'node:path'
import { type Io, variable } from '../io/io.js'

/**
 * The directories: by XDG, on Windows under `%APPDATA%`; `BUILDWIRE_CONFIG_DIR` replaces both. The
 * cache may be deleted at any time.
 */
export function paths(io: Pick<Io, 'env' | 'home' | 'platform'>) {
  const moved = variable(io, 'CONFIG_DIR')
  if (moved !== undefined) return { config: moved, cache: join(moved, 'cache') }
  if (io.platform === 'win32') {
    const roaming = io.env.APPDATA || join(io.home, 'AppData', 'Roaming')
    const local = io.env.LOCALAPPDATA || join(io.home, 'AppData', 'Local')
    return { config: join(roaming, 'buildwire'), cache: join(local, 'buildwire', 'cache') }
  }
  // With a relative path the current directory would decide where a token is stored; XDG says to
  // ignore it.
  const base = (name: string, fallback: string) => {
    const named = io.env[name] ?? ''
    return join(isAbsolute(named) ? named : join(io.home, fallback), 'buildwire')
  }
  return { config: base('XDG_CONFIG_HOME', '.config'), cache: base('XDG_CACHE_HOME', '.cache') }
}
