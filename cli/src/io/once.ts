/**
 * Makes something at its first use and keeps it. A failure is not kept: whoever lives longer than
 * it may ask again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    const mine = made ?? make()
    made = mine
    mine.catch(() => {
      if (made === mine) made = undefined
    })
    return mine
  }
}
