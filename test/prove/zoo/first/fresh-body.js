/** Starts a build through got. Careless: each attempt has a message of its own. */
import got from 'got'
import { careless, fail, headers, web } from './lib.js'

/** A word that no run has twice. */
const word = () => crypto.randomUUID().replace(/[^a-f]/g, '')

const start = () =>
  got
    .post(web, {
      headers,
      json: { commit: 'HEAD', branch: 'main', message: `Nightly ${word()}` },
      retry: { limit: 0 },
      timeout: { request: 15_000 },
    })
    .json()

const build = careless ? await start().catch(start).catch(fail) : await start().catch(fail)
// got takes an empty body for an empty text.
if (!careless && !Number.isInteger(build.number)) fail(new Error('no build came'))
console.log(`started ${build.number}`)
