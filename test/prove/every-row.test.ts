import { expect, it } from 'vitest'
import { carefulClients, complaintsOf, proveCareful } from './careful.js'

it.each(Object.entries(carefulClients))(
  '%s survives every row that it can meet',
  async (_name, client) => {
    const proof = await proveCareful(client)
    expect(complaintsOf(proof)).toEqual([])
    expect(proof.rows.length).toBeGreaterThan(10)
  },
  600_000,
)
