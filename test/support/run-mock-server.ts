import { run } from '../../mock-server/src/main.js'

process.exitCode = await run(process.argv.slice(2))
