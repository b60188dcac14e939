/**
 * What `run` returns; undefined when it throws: the caller refuses in its own words, because the
 * error may quote a secret.
 */
export function tried<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
