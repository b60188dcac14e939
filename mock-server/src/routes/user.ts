import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { present } from '../http/present.js'

export const userHandlers = {
  'user.get': (_path, context) => {
    const { caller, sandbox } = context
    return accept({ body: present(sandbox, caller).user(caller.user.id) })
  },
} satisfies Partial<Handlers>
