// Tells whether the pipeline has a failed build in its last fifty, to decide about a release.
// The mistake: an answer that is no JSON counts as an empty list, and the release goes on.
import http from 'node:http'
import { asList, authorization, deadline, main, org, patiently } from './careful.js'

const url = `${org}/pipelines/nightly/builds?state=failed&per_page=50&exclude_jobs=true`

function decide(failed) {
  console.log(failed.length === 0 ? 'Release' : `No release: ${failed.length} builds have failed`)
}

const ask = (finish) =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { authorization } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      finish(response, () => resolve({ response, text }), reject)
    })
    request.setTimeout(deadline, () => request.destroy(new Error('No answer in time')))
    request.on('error', reject)
  })

async function careless() {
  const { response, text } = await ask((incoming, resolve) => {
    incoming.on('error', resolve)
    incoming.on('end', resolve)
  })
  if (response.statusCode !== 200) throw new Error(`The service answered ${response.statusCode}`)
  let failed = []
  try {
    failed = JSON.parse(text)
  } catch {}
  decide(failed)
}

async function careful() {
  const send = async () => {
    const { response, text } = await ask((incoming, resolve, reject) => {
      incoming.on('end', resolve)
      incoming.on('error', reject)
      incoming.on('close', () => incoming.complete || reject(new Error('The answer was cut')))
    })
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return { status: response.statusCode, headers: new Headers(flat), text }
  }
  decide(await patiently(send, asList))
}

await main({ careless, careful })
