const lifetimeMs = 30 * 86_400_000

export function isOver({ createdAt }: { readonly createdAt: number }, now: number): boolean {
  return !(now < createdAt + lifetimeMs)
}
