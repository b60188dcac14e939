/**
 * `npm run conformance`: every row through every door. `-- --target URL --token TOKEN --org SLUG --pipeline SLUG`
 * runs the rows that hold for any server of this kind against another one.
 */
import { parseArgs } from 'node:util'
import { doorNames, openDoor } from './doors.js'
import { rows } from './rows/index.js'
import type { Row, Target } from './target.js'

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    'auth-url': { type: 'string' },
    'web-url': { type: 'string' },
    token: { type: 'string' },
    org: { type: 'string' },
    pipeline: { type: 'string' },
    only: { type: 'string' },
  },
})

const chosen = rows.filter(({ id }) => values.only === undefined || values.only.split(',').includes(id))

/** Runs rows one after the other and prints those that fail. */
async function runRows(target: Target, wanted: readonly Row[]): Promise<number> {
  let failed = 0
  for (const row of wanted) {
    try {
      await row.run(target)
    } catch (error) {
      failed++
      const reason = error instanceof Error ? error.message : String(error)
      console.log(`  ${row.id} (${row.level}, ${row.section}) ${row.title}\n    ${reason.replaceAll('\n', '\n    ')}`)
    }
  }
  console.log(`${target.name}: ${wanted.length - failed} of ${wanted.length} rows hold`)
  return failed
}

let failed = 0
if (values.target === undefined) {
  for (const door of doorNames) {
    const open = await openDoor(door)
    failed += await runRows(open.target, chosen)
    await open.close()
  }
} else {
  const { token, org, pipeline } = values
  if (token === undefined || org === undefined || pipeline === undefined) {
    throw new TypeError('--target needs --token, --org and --pipeline')
  }
  const baseUrl = values.target.replace(/\/$/, '')
  const target: Target = {
    name: baseUrl,
    baseUrl,
    authUrl: values['auth-url'] ?? baseUrl,
    webUrl: values['web-url'] ?? baseUrl,
    org,
    pipeline,
    tokens: { admin: token },
    raw: true,
    send: (url, init) => fetch(url, init),
  }
  failed = await runRows(
    target,
    chosen.filter(({ needs }) => needs !== 'seed'),
  )
}
process.exitCode = failed === 0 ? 0 : 1
