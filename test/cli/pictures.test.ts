import { CiClient } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { painter } from '../../cli/src/io/color.js'
import { layoutFrame } from '../../cli/src/watch/frame.js'
import { emptyWatch } from '../../cli/src/watch/model.js'
import { view } from './support/build.js'
import { picture } from './support/picture.js'
import { SERVER_NOW } from './support/server.js'
import { serverOfFile } from './support/server-of-file.js'

/**
 * The README's pictures are what the program prints; `npx vitest run test/cli/pictures.test.ts -u`
 * makes them anew.
 */
const columns = 100
const clock = { now: () => SERVER_NOW, monotonic: () => 0, sleep: async () => undefined }

const started = serverOfFile()

function image(name: string): string {
  return `../../docs/images/${name}.svg`
}

test('a list of builds', async () => {
  const argv = ['builds', 'list', '--limit', '10']
  const { code, stdout } = await started.run(argv, { columns, clock })
  expect(code).toBe(0)
  await expect(
    picture(`ci ${argv.join(' ')}`, stdout.trimEnd().split('\n'), columns),
  ).toMatchFileSnapshot(image('builds-list'))
})

test('a watch', async () => {
  const ci = new CiClient({ baseUrl: started.server.baseUrl, auth: started.token })
  const build = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'api', number: 723 })
  const model = {
    ...emptyWatch('acme/api#723'),
    at: SERVER_NOW,
    delayMs: 5000,
    build,
    state: build.state,
  }
  const lines = layoutFrame({ model, rows: 24, tick: 2 }, view(columns, { paint: painter(true) }))
  await expect(
    picture('ci builds watch acme/api#723', lines.map(String), columns),
  ).toMatchFileSnapshot(image('builds-watch'))
})
