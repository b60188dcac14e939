/** How long somebody stays logged in to the pages. */
const lifetimeMs = 30 * 86_400_000

/** Whether a login of the pages has ended by age. */
export const isOver = ({ createdAt }: { readonly createdAt: number }, now: number): boolean =>
  !(now < createdAt + lifetimeMs)
