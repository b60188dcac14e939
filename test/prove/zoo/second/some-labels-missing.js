// Labels the first eight tests of a suite for a cleanup, several at a time.
// The mistake: when some of the changes are refused it only counts the others, and the exit code is
// 0.
import ky from 'ky'
import { api, asJson, asList, authorization, deadline, main, patiently } from './careful.js'

const tests = `${api}/analytics/organizations/acme/suites/web-unit/tests`
const change = { operator: 'add', labels: ['cleanup'] }

async function careless() {
  const client = ky.create({ headers: { authorization }, timeout: deadline, retry: 0 })
  const records = await client.get(`${tests}?per_page=8`).json()
  let done = 0
  await Promise.all(
    records.map(async ({ id }) => {
      try {
        await client.patch(`${tests}/${id}/labels`, { json: change })
        done++
      } catch (error) {
        console.error(`${id}: ${error.message}`)
      }
    }),
  )
  console.log(`${done} tests labeled`)
}

async function careful() {
  const send = async (url, options) => {
    const response = await ky(url, {
      ...options,
      headers: { authorization },
      signal: AbortSignal.timeout(deadline),
      timeout: false,
      throwHttpErrors: false,
      retry: 0,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const records = await patiently(() => send(`${tests}?per_page=8`), asList)
  const label = async ({ id }) => {
    const patch = () => send(`${tests}/${id}/labels`, { method: 'patch', json: change })
    // Labels are a set: sending this twice changes nothing more.
    const { labels } = await patiently(patch, asJson)
    if (!labels?.includes('cleanup')) throw new Error(`Test ${id} has no label`)
  }
  const results = await Promise.allSettled(records.map(label))
  const failed = results.filter(({ status }) => status === 'rejected')
  console.log(`${records.length - failed.length} tests labeled`)
  if (failed.length > 0) throw new Error(`${failed.length} are not: ${failed[0].reason.message}`)
}

await main({ careless, careful })
