import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_BYTES = 4 * 2 ** 20

/**
 * Told of the bytes of a stream that went by, keeps a large one from filling memory with parts that nobody holds any more: V8
 * counts buffers late, and lets its young space grow to tens of megabytes for a stream of strings. A short one costs nothing.
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
