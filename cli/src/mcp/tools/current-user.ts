import { identify } from '../../auth/identity.js'
import { tool } from '../tool.js'

/** `current_user` */
export const currentUser = tool({
  name: 'current_user',
  description: 'Whom the token acts for, and its scopes.',
  effect: 'reads',
  operation: 'user.get',
  async call(_, { ci, signal, reach }) {
    const { uuid, ...identity } = await identify(ci, signal)
    const record = { ...identity, token_id: uuid, reach: reach.pin ?? 'everything that the token can' }
    return { record, list: { key: 'scopes', advice: '`ci auth status` shows all' } }
  },
})
