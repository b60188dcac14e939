import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../io/error-code.js'

/** Makes a private directory and those above it. (Node's own `recursive` never ends where the system makes none.) */
export async function makeDirectory(path: string): Promise<void> {
  const create = () => mkdir(path, { mode: 0o700 })
  try {
    await create()
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await create().catch((again: unknown) => {
      if (errorCode(again) !== 'EEXIST') throw again
    })
  }
}
