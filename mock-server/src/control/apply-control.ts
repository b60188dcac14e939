import { createIssueList, formatPath } from '../fields/field.js'
import type { Generation } from '../sandbox/sandbox.js'
import { DocumentError, type Loaded, loadDocument } from '../seed/load.js'
import type { SeedDocument } from '../seed/seed-document.js'
import { guarded } from './host.js'
import { seedContextOf } from './seed-context.js'

export interface Applied extends Pick<Loaded, 'created' | 'updated' | 'accessTokens' | 'clientSecrets'> {
  /** What was dropped without harm. */
  readonly notices: readonly { readonly path: string; readonly message: string }[]
}

/** Registers and changes whatever a seed can say, all or nothing; it holds from the next request. */
export type Apply = (document: SeedDocument) => Promise<Applied>

/** Socket faults need a port, and an id names one rule. */
const checkRules = (document: unknown, isListening: boolean): void => {
  const { rules } = document as SeedDocument
  const issues = createIssueList()
  for (const [n, rule] of (rules ?? []).entries()) {
    const socket = isListening ? -1 : rule.actions.findIndex((action) => 'socket' in action)
    if (socket >= 0) issues.issue(['rules', n, 'actions', socket, 'socket'], 'needs a port: nothing listens yet')
  }
  if (issues.count > 0) throw new DocumentError(issues)
}

export const createApply =
  (current: () => Generation, isListening: () => boolean): Apply =>
  (document) =>
    guarded(async () => {
      const generation = current()
      const { store, settings, rules } = generation
      const loaded = await store.update((tx) => {
        const read = loadDocument(document, tx, seedContextOf(generation), { extraScopes: settings.extraScopes })
        checkRules(document, isListening())
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
