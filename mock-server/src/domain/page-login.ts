const lifetimeMs = 30 * 86_400_000

export const isOver = ({ createdAt }: { readonly createdAt: number }, now: number): boolean =>
  !(now < createdAt + lifetimeMs)
