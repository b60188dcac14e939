/**
 * The client of prove-me.js without its mistakes, made with the SDK: `npx ci server prove -- node
 * examples/prove-free.js` finds no harm.
 */
import { CiClient, isCiError } from '@buildwire/sdk'

const { BUILDWIRE_BASE_URL = '', BUILDWIRE_TOKEN = '' } = process.env
const ci = new CiClient({ baseUrl: BUILDWIRE_BASE_URL, auth: BUILDWIRE_TOKEN })
const web = { org_slug: 'acme', pipeline_slug: 'web' }

/** Starts a build. If the answer is lost, it looks for the build among those of the branch. */
async function start(branch, message) {
  try {
    return await ci.builds.create({ ...web, commit: 'HEAD', branch, message })
  } catch (error) {
    if (!isCiError(error) || error.sent !== 'unknown') throw error
    const [newest] = (await ci.builds.listForPipeline({ ...web, branch, per_page: 1 })).items
    if (newest?.message !== message) throw error
    return newest
  }
}

const { number } = await start('main', `Started by ${process.pid} at ${new Date().toISOString()}`)
console.log(`Started web#${number}`)

const signs = {
  scheduled: '◷',
  running: '▶',
  passed: '✓',
  failed: '✗',
  failing: '✗',
  canceled: '■',
  blocked: '‖',
}
for (const build of await ci.builds.listForPipeline(web).toArray({ limit: 5 })) {
  console.log(signs[build.state] ?? '?', `web#${build.number}`, build.branch)
}
await ci.close()
