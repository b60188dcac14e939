import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../mock-server/src/main.js'
import { scratch } from '../support/scratch.js'
import { startServerProcess } from '../support/server-process.js'

const dockerfile = await readFile(new URL('../../mock-server/Dockerfile', import.meta.url), 'utf8')

/** The arguments of an instruction in its JSON form. */
const instruction = (pattern: RegExp): readonly string[] =>
  JSON.parse(pattern.exec(dockerfile)?.[1] ?? '[]') as string[]

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

it('the image runs what its Dockerfile says: API open, control and pages closed to other machines, healthy', async () => {
  expect(instruction(/^ENTRYPOINT (.+)$/m)).toEqual(['ci-mock-server'])
  await using directory = await scratch()
  const port = await freePort()
  const env = {
    BUILDWIRE_MOCK_PORT: String(port),
    BUILDWIRE_MOCK_ACCESS_TOKEN: 'local-access-token',
  }
  const command = instruction(/^CMD (.+)$/m).map((argument) =>
    argument === '/data' ? join(directory.path, 'data') : argument,
  )
  const server = startServerProcess([...command, '--json'], { env })
  try {
    const info = await server.ready
    expect(info).toMatchObject({ port, seed: 'demo', durable: true })
    const [program, ...health] = instruction(/^HEALTHCHECK .*CMD (.+)$/m)
    expect(program).toBe('ci-mock-server')
    expect(await run(health, { env })).toBe(0)

    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address
    for (const host of ['127.0.0.1', ...(address === undefined ? [] : [address])]) {
      const ask = (path: string) =>
        fetch(`http://${host}:${port}${path}`, {
          headers: { authorization: 'Bearer local-access-token' },
        })
      expect((await ask('/v2/organizations/acme/builds')).status).toBe(200)
      const local = host === '127.0.0.1'
      expect((await ask('/_control/info')).status).toBe(local ? 401 : 403)
      expect((await ask('/')).status).toBe(local ? 200 : 403)
    }
  } finally {
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  }
})
