/** A path of the contract as hono spells it: `/builds/{number}` is `/builds/:number`. */
export const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

export const allowOf = (methods: readonly string[]): string =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
