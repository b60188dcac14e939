import { accept } from '../domain/decision.js'
import { present } from '../present/present.js'
import type { Handlers } from '../request/context.js'
import { route } from './route.js'

export const userHandlers = {
  'user.get': route('user.get', (_asked, { caller, sandbox }) =>
    accept({ body: present(sandbox, caller).user(caller.user.id) }),
  ),
} satisfies Partial<Handlers>
