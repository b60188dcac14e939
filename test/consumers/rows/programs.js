export const requires = `const { CiClient, isCiError } = require('@buildwire/sdk')
const { createMockServer } = require('@buildwire/mock-server')`
export const imports = `import { CiClient, isCiError } from '@buildwire/sdk'
import { createMockServer } from '@buildwire/mock-server'`

/** The body of a test that uses the SDK with a server in process, and with one on a port. */
export const body = `
  const inProcess = createMockServer({ seed: 'demo' })
  const onPort = createMockServer({ seed: 'demo' })
  await onPort.listen()
  for (const [server, options] of [[inProcess, { transport: inProcess.transport() }], [onPort, {}]]) {
    const { accessTokens } = await server.ready()
    const ci = new CiClient({ baseUrl: server.baseUrl, auth: accessTokens.admin, ...options })
    const builds = await ci.builds.list({ state: 'failed' }).toArray({ limit: 3 })
    if (builds.length !== 3) throw new Error('expected 3 builds, got ' + builds.length)
    const path = { org_slug: 'acme', pipeline_slug: 'absent', number: 1 }
    const error = await ci.builds.get(path).catch((reason) => reason)
    if (!isCiError(error, 'not_found')) throw error
    await ci.close()
    await server.close()
  }
`

/** What the server reads or loads when it is first used: a seed in YAML, and HTML of an annotation. */
const lateParts = `
  const seed = { file: 'acme.yaml' }
  const server = createMockServer({ seed })
  const { accessTokens } = await server.ready()
  const options = { baseUrl: server.baseUrl, transport: server.transport() }
  const ci = new CiClient({ ...options, auth: accessTokens.bot })
  const pipeline = { org_slug: 'acme', pipeline_slug: 'web' }
  const { number } = await ci.builds.create({ ...pipeline, commit: 'HEAD', branch: 'main' })
  const annotation = { body: 'a <b>bold</b> word<script>no()</script>', context: 'words' }
  await ci.annotations.create({ ...pipeline, number, ...annotation })
  const page = await server.fetch(new Request('http://localhost/acme/web/builds/' + number))
  const html = await page.text()
  if (!html.includes('a <b>bold</b> word</p>')) throw new Error(html)
  await server.close()
`

export const yaml = `version: 1
users: [{ email: robin@acme.example }]
organizations:
  - slug: acme
    members: [{ user: robin@acme.example }]
    pipelines: [{ slug: web }]
accessTokens:
  - { name: bot, user: robin@acme.example, scopes: [read_builds, write_builds] }
`

/** The file of a test in one of the runners that have a function \`test\`. */
export const tested = (head) => `${head}\ntest('server and SDK', async () => {${body}}, 60_000)\n`

/** A program that needs \`acme.yaml\` in its folder. */
export const program = (head) =>
  `${head}\nconst main = async () => {${body}${lateParts}  console.log('used both')\n}\nmain()\n`
