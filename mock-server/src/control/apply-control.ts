import { formatPath } from '../fields/field.js'
import type { Generation } from '../sandbox/sandbox.js'
import { drawnFrom } from '../sandbox/seeded-state.js'
import { type Loaded, loadDocument } from '../seed/load.js'
import type { SeedDocument } from '../seed/seed-document.js'
import { guarded } from './host.js'
import { checkActions } from './rules-control.js'

export interface Applied extends Pick<Loaded, 'created' | 'updated' | 'accessTokens' | 'clientSecrets'> {
  /** What was dropped without harm. */
  readonly notices: readonly { readonly path: string; readonly message: string }[]
}

/** Registers and changes whatever a seed can say, all or nothing; it holds from the next request. */
export type Apply = (document: SeedDocument) => Promise<Applied>

export const createApply =
  (current: () => Generation, isListening: () => boolean): Apply =>
  (document) =>
    guarded(async () => {
      const generation = current()
      const { store, settings, rules } = generation
      const loaded = await store.update((tx) => {
        const read = loadDocument(document, tx, drawnFrom(generation), { extraScopes: settings.extraScopes })
        checkActions(document.rules ?? [], (n) => `rules[${n}].`, isListening())
        return read
      })
      let created = 0
      let updated = 0
      for (const rule of loaded.rules) {
        if (rule.id && rules.get(rule.id)) {
          rules.set(rule.id, rule)
          updated += 1
        } else {
          rules.create(rule)
          created += 1
        }
      }
      return {
        created: loaded.created + created,
        updated: loaded.updated + updated,
        accessTokens: loaded.accessTokens,
        clientSecrets: loaded.clientSecrets,
        notices: loaded.notices.map(({ path, message }) => ({ path: formatPath(path), message })),
      }
    })
