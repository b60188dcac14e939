import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { present } from '../http/present.js'
import { route } from '../request/route.js'

export const userHandlers = {
  'user.get': route('user.get', (_asked, { caller, sandbox }) =>
    accept({ body: present(sandbox, caller).user(caller.user.id) }),
  ),
} satisfies Partial<Handlers>
