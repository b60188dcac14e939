import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** A full collection, now. */
export const collect = runInNewContext('gc') as () => void

/** Memory after a full collection, in MiB: the process's share of RAM, and the heap alone. */
export function memoryMiB(): { readonly rss: number; readonly heap: number } {
  collect()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}

/**
 * Bytes of the buffers that are held: streams let go of their last one in a later turn, and what a
 * collection finds is given back after it.
 */
export async function heldBuffers(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    collect()
  }
  return process.memoryUsage().arrayBuffers
}
