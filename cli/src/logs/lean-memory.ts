import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_BYTES = 4 * 2 ** 20

/**
 * Told of the bytes of a stream that went by, keeps parts that nobody holds from filling memory: V8
 * frees them late.
 */
export function leanMemory(): (bytes: number) => void {
  let collect: ((options: { type: 'minor' }) => void) | undefined
  let count = 0
  return (bytes) => {
    count += bytes
    if (count < EVERY_BYTES) return
    count = 0
    if (collect === undefined) {
      setFlagsFromString('--semi-space-growth-factor=1')
      setFlagsFromString('--expose-gc')
      collect = runInNewContext('gc') as typeof collect
    }
    collect?.({ type: 'minor' })
  }
}
