import { own } from '../../mock-server/src/store/owner.js'

// Owns a directory until it is killed.
await own(process.argv[2] ?? '', 'writer')
process.stdout.write('owned\n')
setInterval(() => undefined, 60_000)
