// Starts five builds of a branch and cancels all that are not two on a page.
// The mistake: it cancels while it turns the pages, and the list of what is not over gets shorter under
// its hands: every second page is skipped.
import { asList, call, clientOf, nextOf, pipelines, runTwin } from './lib.js'
import { send } from './send-fetch.js'

const { cancel, start } = clientOf(send)

const builds = `${pipelines}/web/builds`
const branch = 'try/cancels-while-paging'

async function begin() {
  for (let left = 5; left > 0; left--) await start('web', { branch, message: `Queued (${left})` })
}

/** The pages of builds that are not over. */
async function* pages() {
  const named = encodeURIComponent(branch)
  const query = `branch=${named}&state=scheduled&state=running&exclude_jobs=true&per_page=2`
  for (let url = `${builds}?${query}`; url; ) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), nextOf(answer)])
    yield page
    url = next
  }
}

async function careless() {
  await begin()
  let count = 0
  for await (const page of pages())
    for (const { number } of page) {
      await cancel(`${builds}/${number}`)
      count++
    }
  console.log(`All ${count} builds of the branch are canceled`)
}

async function careful() {
  await begin()
  const numbers = new Set()
  for await (const page of pages()) for (const { number } of page) numbers.add(number)
  let trouble
  for (const number of numbers)
    await cancel(`${builds}/${number}`).catch((error) => {
      // One that is over needs no cancel: what counts is what is left.
      trouble ??= error
    })
  for await (const [left] of pages())
    if (left) throw trouble ?? new Error(`build ${left.number} is not over`)
  console.log(`All ${numbers.size} builds of the branch are canceled`)
}

await runTwin({ careless, careful })
