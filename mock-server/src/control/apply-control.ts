import { formatPath } from '../fields/field.js'
import { drawnFrom } from '../sandbox/seeded-state.js'
import { loadDocument } from '../seed/load.js'
import type { SeedDocument } from '../seed/tables.js'
import type { Calls } from './host.js'
import { checkActions } from './rules-control.js'

/** Registers and changes whatever a seed can say, all or nothing; it holds from the next request. */
export const createApply = (isListening: () => boolean, { bare }: Calls) =>
  bare(async (document: SeedDocument, generation) => {
    const { store, rules } = generation
    const loaded = await store.update((tx) => {
      const read = loadDocument(document, tx, drawnFrom(generation))
      checkActions(document.rules ?? [], (n) => `rules[${n}].`, isListening())
      return read
    })
    let replaced = 0
    for (const rule of loaded.rules) {
      if (rule.id && rules.get(rule.id)) {
        rules.set(rule.id, rule)
        replaced += 1
      } else rules.create(rule)
    }
    return {
      created: loaded.created + loaded.rules.length - replaced,
      updated: loaded.updated + replaced,
      accessTokens: loaded.accessTokens,
      clientSecrets: loaded.clientSecrets,
      /** What was dropped without harm. */
      notices: loaded.notices.map(({ path, message }) => ({ path: formatPath(path), message })),
    }
  })

export type Applied = Readonly<Awaited<ReturnType<ReturnType<typeof createApply>>>>
