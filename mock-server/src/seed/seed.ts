import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { digest } from '../base/digest.js'
import { isPlainObject } from '../fields/field.js'
import type { Transaction } from '../store/store.js'
import type { SourceDocument } from './document.js'
import { largeBuilds, largeDocument } from './large.js'
import { type LoadResult, loadDocument } from './load.js'
import type { SeedContext } from './loading.js'
import type { PreparedBuilds } from './prepared.js'
import { SeedError, seedError, seedIssue } from './seed-error.js'
import type { SeedDocument } from './tables.js'

/** A seed: by name, as a document, or as a YAML or JSON file. */
export type SeedOption =
  | 'empty'
  | 'demo'
  | `large:${number}`
  | SeedDocument
  | { readonly file: string }

/** A seed that was read. Its document is checked when it is loaded into a store. */
export interface Seed {
  /** `empty`, `demo`, `large:1000`, the file's name, or `document`. */
  readonly name: string
  /** Equal for seeds with the same content. */
  readonly key: string
  /** The least number of its builds: sandboxes refuse large seeds. */
  readonly builds: number
  /** Loads the seed into a transaction. @throws SeedError with the issues of the failed step */
  fill(tx: Transaction, context: SeedContext): LoadResult
}

/** The objects in the list under a key of a document that is not checked yet. */
function entriesOf(owner: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isPlainObject(owner) ? owner[name] : undefined
  return Array.isArray(list) ? list.filter(isPlainObject) : []
}

function countBuilds(document: unknown): number {
  return entriesOf(document, 'organizations')
    .flatMap((organization) => entriesOf(organization, 'pipelines'))
    .reduce((sum, pipeline) => {
      const filler = isPlainObject(pipeline['generate']) ? pipeline['generate']['builds'] : 0
      return sum + entriesOf(pipeline, 'builds').length + (typeof filler === 'number' ? filler : 0)
    }, 0)
}

/** @param file The name of the document in messages; absent if it was passed in code. */
function documentSeed(
  name: string,
  document: unknown,
  file?: string,
  source?: SourceDocument,
  prepared?: PreparedBuilds,
): Seed {
  return {
    name,
    key: digest(JSON.stringify(document) ?? ''),
    builds: countBuilds(document),
    fill: (tx, context) =>
      loadDocument(document, tx, context, (issues) => seedError(issues, file, source), prepared),
  }
}

/** Reads a seed from text; messages call it `file`. @throws SeedError with line and column */
export async function seedFromText(text: string, file: string): Promise<Seed> {
  // The YAML parser takes time to load, and most starts do not need it.
  const { parseSource } = await import('./document.js')
  const source = parseSource(text)
  if (source.syntax.length > 0) {
    throw new SeedError(
      source.syntax.map(({ position, message }) => seedIssue([], message, file, position)),
    )
  }
  return documentSeed(basename(file), source.value, file, source)
}

let demo: Promise<Seed> | undefined

async function readDemo(): Promise<Seed> {
  const { demoSeed } = await import('./demo.js')
  const { document, builds } = await demoSeed()
  return documentSeed('demo', document, 'demo.yaml', undefined, builds)
}

/** The demo seed. It is read once: the build converts demo.yaml to JSON and plays its builds. */
function openDemo(): Promise<Seed> {
  demo ??= readDemo()
  return demo
}

function largeSeed(name: string, builds: number): Seed {
  const around = documentSeed(name, largeDocument)
  return {
    name,
    key: name,
    builds,
    fill(tx, context) {
      const loaded = around.fill(tx, context)
      for (const build of largeBuilds(builds, tx.state, context)) tx.put('builds', build)
      return { ...loaded, created: loaded.created + builds }
    },
  }
}

/** Opens the seed of an option; reads its file. @throws SeedError; TypeError for an unknown name */
export async function openSeed(given: SeedOption = 'empty'): Promise<Seed> {
  if (typeof given === 'string') {
    if (given === 'empty') return documentSeed('empty', {})
    if (given === 'demo') return await openDemo()
    const size = /^large:([1-9]\d{0,6})$/.exec(given)?.[1]
    if (size === undefined)
      throw new TypeError(
        `There is no seed ${JSON.stringify(given)}: use empty, demo, large:N or a document`,
      )
    return largeSeed(given, Number(size))
  }
  if ('file' in given && typeof given.file === 'string') {
    let text: string
    try {
      text = await readFile(given.file, 'utf8')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new SeedError([seedIssue([], `cannot be read: ${reason}`, given.file)])
    }
    return seedFromText(text, given.file)
  }
  return documentSeed('document', given)
}
