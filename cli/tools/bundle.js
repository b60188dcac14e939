// Bundles the command line: what every run needs in one file, each topic and each rarely used part
// in its own.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'
import { makeManifest } from './manifest.js'
import { options, path } from './options.js'
import { lazyEmoji, lazyWidth, stubs } from './stubs.js'

const CORE = 'src/run/core.ts'
const LIGHT = 'src/run/light.ts'

/** The import graph of the program, without writing anything. */
async function importGraph() {
  const { metafile } = await build({
    ...options,
    absWorkingDir: path(''),
    entryPoints: ['src/entry.ts', CORE, LIGHT],
    outdir: path('dist'),
    write: false,
    metafile: true,
    splitting: true,
    plugins: [stubs, lazyWidth, lazyEmoji],
  })
  return metafile.inputs
}

/** The files that one of ours reaches by static imports. */
function reachedFrom(entry, inputs) {
  const reached = new Set()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const imports = inputs[file]?.imports ?? []
    queue.push(
      ...imports
        .filter(({ kind, external }) => kind !== 'dynamic-import' && !external)
        .map((item) => item.path),
    )
  }
  return reached
}

/**
 * The two parts of the program that stay in one file each; the core includes the light part. `start`
 * has the files that every run reads.
 */
async function keptParts() {
  const inputs = await importGraph()
  const core = reachedFrom(CORE, inputs)
  const light = reachedFrom(LIGHT, inputs)
  const start = reachedFrom('src/entry.ts', inputs)
  for (const { imports } of Object.values(inputs)) {
    for (const { kind, path: target } of imports) {
      const isOurs = target.startsWith('src/') && target !== CORE
      const splitsCore = kind === 'dynamic-import' && core.has(target) && isOurs
      if (!splitsCore) continue
      throw new Error(
        `${target} is part of the core: import it statically, or the bundle falls apart`,
      )
    }
  }
  const absolute = (files) => new Set([...files].map((file) => resolve(path(''), file)))
  return { core: absolute(core), light: absolute(light), start: absolute(start) }
}

/**
 * Rewrites imports of the SDK's index to the files that it exports from: through the index esbuild
 * would put the whole SDK into one chunk.
 */
async function directSdkImports() {
  const sdkIndex = options.alias['@buildwire/sdk']
  const index = await readFile(sdkIndex, 'utf8')
  const files = new Map()
  for (const [, names = '', file = ''] of index.matchAll(
    /export ?\{([^}]*)\} ?from ?["']([^"']+)["']/g,
  )) {
    for (const name of names.split(',')) files.set(name.trim(), resolve(dirname(sdkIndex), file))
  }
  return (source) =>
    source.replace(/^import \{([^}]*)\} from '@buildwire\/sdk'$/gm, (_, names) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => `import { ${name} } from ${JSON.stringify(files.get(name))}`)
        .join(';'),
    )
}

/** Makes our other files import the part that they need, so that esbuild does not split it. */
function keepTogether({ core, light, start }, direct) {
  const needsLightOnly = (file) => start.has(file) || /[/\\]src[/\\]help[/\\]/.test(file)
  return {
    name: 'keep-together',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]cli[/\\]src[/\\].*\.tsx?$/ }, async ({ path: file }) => {
        const source = direct(await readFile(file, 'utf8'))
        const part = needsLightOnly(file) ? LIGHT : CORE
        const isPart = core.has(file) || light.has(file)
        const contents = isPart ? source : `${source}\nimport ${JSON.stringify(path(part))}\n`
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts', resolveDir: dirname(file) }
      })
    },
  }
}

async function removeOld() {
  const names = await readdir(path('dist')).catch(() => [])
  const kept = new Set(['types', '.tsbuildinfo'])
  await Promise.all(
    names
      .filter((name) => !kept.has(name))
      .map((name) => rm(path(`dist/${name}`), { recursive: true })),
  )
}

async function buildProgram() {
  await build({
    ...options,
    entryPoints: {
      main: path('src/entry.ts'),
      'oclif-commands': path('src/run/oclif-commands.ts'),
    },
    outdir: path('dist'),
    // Node reads less before it starts; lines stay short enough for positions in a stack.
    minifyWhitespace: true,
    lineLimit: 160,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    plugins: [
      stubs,
      lazyWidth,
      lazyEmoji,
      keepTogether(await keptParts(), await directSdkImports()),
    ],
  })
}

/** Completion is one CommonJS file without chunks, because a shell waits for it. */
async function buildCompletion() {
  await build({
    ...options,
    banner: {},
    format: 'cjs',
    entryPoints: [path('src/completion/complete.ts')],
    outfile: path('dist/complete.cjs'),
  })
}

await removeOld()
await buildProgram()
await buildCompletion()
await writeFile(path('oclif.manifest.json'), await makeManifest())
