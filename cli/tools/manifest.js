import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { options, path } from './options.js'
import { stubs } from './stubs.js'

/**
 * Describes the commands by running the code that describes them; that code itself is not shipped.
 */
export async function makeManifest() {
  await mkdir(path('dist'), { recursive: true })
  const directory = await mkdtemp(join(path('dist'), 'manifest-'))
  try {
    const outfile = join(directory, 'manifest.js')
    await build({
      ...options,
      entryPoints: [path('src/run/build-manifest.ts')],
      outfile,
      plugins: [stubs],
    })
    const { version } = JSON.parse(await readFile(path('package.json'), 'utf8'))
    const { buildManifest } = await import(pathToFileURL(outfile).href)
    return `${JSON.stringify(await buildManifest(version), null, 2)}\n`
  } finally {
    await rm(directory, { recursive: true })
  }
}
