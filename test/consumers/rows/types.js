import { node, own, row, tree, versions } from './row.js'

/** Typed uses, with one mistake per package: types that could not be found would accept it. */
const source = (
  subpaths,
) => `import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { type Build, CiClient, isCiError } from '@buildwire/sdk'
${subpaths}
export async function numbers(ci: CiClient): Promise<number[]> {
  const builds: Build[] = await ci.builds.list({ state: 'failed' }).toArray({ limit: 3 })
  // @ts-expect-error: no build has this state
  await ci.builds.list({ state: 'unknown' })
  return builds.map(({ number }) => number)
}

export async function main(): Promise<void> {
  const server: MockServer = createMockServer({ seed: 'demo' })
  // @ts-expect-error: a server does not have this method
  server.unknown()
  const { accessTokens } = await server.ready()
  const transport = server.transport()
  const ci = new CiClient({ baseUrl: server.baseUrl, auth: accessTokens['admin'] ?? '', transport })
  try {
    console.log(await numbers(ci))
  } catch (error) {
    if (isCiError(error, 'not_found')) console.log(error.requestId)
  }
}
`

const subpaths = `import { mockServerTest } from '@buildwire/mock-server/vitest'
import { operations } from '@buildwire/sdk/contract'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { redisTokenStore } from '@buildwire/sdk/redis'

export const method: string = operations['builds.list'].method
export const others = [nodeTransport(), redisTokenStore, mockServerTest({ seed: 'demo' })]
`
const withoutVitest = subpaths.replace(/^.*vitest'\n/m, '').replace(/, mockServerTest\(.*\)/, '')

/** The settings of each module system, by its name and the version of the compiler. */
const systems = {
  node16: () => ({ module: 'node16' }),
  nodenext: () => ({ module: 'nodenext' }),
  bundler: () => ({ module: 'esnext', moduleResolution: 'bundler' }),
  commonjs: (line) => ({
    module: 'commonjs',
    moduleResolution: line < 6 ? 'node10' : 'bundler',
  }),
}

function typeRow(line, system) {
  const isNode = system.startsWith('node')
  const files = {
    'package.json': `{ "type": "${system === 'commonjs' ? 'commonjs' : 'module'}" }`,
    'app.ts': source(system === 'commonjs' ? withoutVitest : subpaths),
    ...(isNode ? { 'required.cts': source(withoutVitest) } : {}),
  }
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    ...systems[system](line),
  }
  const tool = versions(`typescript${line}`)
  return row(`TypeScript ${line}, ${system}`, ['TypeScript'], {
    tool,
    links: { '@types/node': tree('@types/node'), vitest: own('vitest'), msw: tree('msw') },
    files: { ...files, 'tsconfig.json': JSON.stringify({ compilerOptions }) },
    commands: [[node, `${tool}/bin/tsc`, '-p', '.']],
  })
}

const lines = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6', '7']

export const typeRows = lines.flatMap((line) =>
  Object.keys(systems).map((system) => typeRow(line, system)),
)
