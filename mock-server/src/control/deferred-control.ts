import type { Control } from './control.js'

type Call = (...args: readonly unknown[]) => Promise<unknown>

/** Stands for a control that is still to come: each call waits for it. */
export const deferredControl = (coming: () => Promise<Control>): Control => {
  const callOf =
    (path: readonly string[]): Call =>
    async (...args) => {
      const control = await coming()
      const owner = path.slice(0, -1).reduce<unknown>((object, name) => Reflect.get(Object(object), name), control)
      const call: unknown = Reflect.get(Object(owner), path.at(-1) ?? '')
      if (typeof call !== 'function') throw new TypeError(`control.${path.join('.')} is no call of the control API`)
      return Reflect.apply(call, owner, args)
    }
  const standIn = (path: readonly string[]): unknown =>
    new Proxy(callOf(path), {
      // Not a promise, whatever `await` looks for.
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? standIn([...path, name]) : undefined),
    })
  return standIn([]) as Control
}
