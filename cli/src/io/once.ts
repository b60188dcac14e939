/** Makes a value at its first use and keeps it. A failure is not kept: the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    const current = kept ?? make()
    kept = current
    current.catch(() => {
      if (kept === current) kept = undefined
    })
    return current
  }
}
