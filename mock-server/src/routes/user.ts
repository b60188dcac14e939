import { accept } from '../domain/decision.js'
import type { Handlers } from '../request/exchange.js'
import { route } from './route.js'

export const userHandlers = {
  'user.get': route('user.get', ({ show }, { caller }) =>
    accept({ body: show.user(caller.user.id) }),
  ),
} satisfies Partial<Handlers>
