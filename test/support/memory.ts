import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Runs a full garbage collection. */
export const collect = runInNewContext('gc') as () => void

/**
 * Memory after a full garbage collection, in MiB: the resident set of the process, and the heap.
 */
export function memoryMiB(): { readonly rss: number; readonly heap: number } {
  collect()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}

/**
 * Bytes of the buffers in use. Streams release their last buffer in a later turn, and the memory
 * that a collection finds is returned after it.
 */
export async function heldBuffers(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    collect()
  }
  return process.memoryUsage().arrayBuffers
}
