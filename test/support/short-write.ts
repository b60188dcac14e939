/**
 * Runs under a limit of file sizes (`ulimit -f`), with which the system writes a part of a batch
 * and then refuses the rest. Prints the results of a small batch, a large one, and a small one
 * again.
 */
import { stat } from 'node:fs/promises'
import { argv } from 'node:process'
import { journalFile } from '../../mock-server/src/store/journal-file.js'

import { aUser } from './records.js'

const [, , path = ''] = argv
const file = journalFile(path)
const user = (id: string, name = 'Robin') =>
  [{ collection: 'users', id, record: aUser({ id, name }) }] as const

await file.write(user('u1'))
const before = (await stat(path)).size
const refused = await file.write(user('u2', 'x'.repeat(100_000))).then(
  () => 'nothing',
  (error: NodeJS.ErrnoException) => error.code,
)
const after = (await stat(path)).size
await file.write(user('u3'))
await file.close()
const kept = (await journalFile(path).read())?.map(({ id }) => id)
console.log(JSON.stringify({ refused, grewBy: after - before, kept }))
