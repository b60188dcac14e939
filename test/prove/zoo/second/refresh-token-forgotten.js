// Logs a person in, renews the login once at its start, then reads the newest build of six
// pipelines and renews on a 401.
// The mistake: it keeps the first refresh token instead of its successor, so the second renewal
// shows a spent one.
import { asJson, asList, main, once, org, patiently, pause } from './careful.js'
import { logIn, renew } from './device.js'

const pipelines = ['api', 'docs', 'infra', 'mobile', 'nightly', 'web']
const newest = (slug) => `${org}/pipelines/${slug}/builds?per_page=1&exclude_jobs=true`
const as = (token) => ({ headers: { authorization: `Bearer ${token}` } })
const show = (slug, [build]) => console.log(`${slug} ${build ? build.number : 'has no builds'}`)

async function careless() {
  const first = await logIn('read_builds')
  const refresh = async () => {
    const answer = await renew(first.refresh_token)()
    if (answer.status !== 200) throw new Error(`Not renewed: ${answer.status} ${answer.text}`)
    return asJson(answer).access_token
  }
  let token = await refresh()
  for (const slug of pipelines) {
    let answer = await once(newest(slug), as(token))
    if (answer.status === 401) {
      token = await refresh()
      answer = await once(newest(slug), as(token))
    }
    if (answer.status !== 200) throw new Error(`${slug}: ${answer.status}`)
    show(slug, asList(answer))
    await pause(50)
  }
}

async function careful() {
  let login = await logIn('read_builds')
  const refresh = async () => {
    const next = await patiently(renew(login.refresh_token), asJson, (status) => status === 429)
    login = { ...login, ...next }
  }
  const read = (slug) => patiently(() => once(newest(slug), as(login.access_token)), asList)
  await refresh()
  for (const slug of pipelines) {
    const builds = await read(slug).catch(async (error) => {
      if (error.status !== 401) throw error
      await refresh()
      return read(slug)
    })
    show(slug, builds)
    await pause(50)
  }
}

await main({ careless, careful })
