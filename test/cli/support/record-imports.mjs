// Preloaded into a child: writes the URL of every module it loads into the file that RECORD_IMPORTS names.
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'

const hooks = `
import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(process.env.RECORD_IMPORTS, url + '\\n')
  return next(url, context)
}
`
appendFileSync(process.env.RECORD_IMPORTS, '')
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
