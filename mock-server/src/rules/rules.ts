import type { Ids } from '../base/ids.js'
import { firstDifference, type MatchableRequest, readsBody, withoutBody } from './match.js'
import type { AppliedRule } from './perform.js'
import type { Rule } from './rule.js'

interface CountedRule {
  readonly rule: Rule & { readonly id: string }
  matched: number
  applied: number
}

/** Rules with their counters and state variables, as a snapshot keeps them. */
export interface RulesSnapshot {
  readonly rules: readonly Readonly<CountedRule>[]
  readonly variables: Readonly<Record<string, string>>
}

function left({ rule, applied }: CountedRule): number | null {
  return rule.times ? Math.max(0, rule.times - applied) : null
}

function view(entry: CountedRule) {
  return {
    ...entry.rule,
    priority: entry.rule.priority ?? 0,
    /** Matched requests, including those that `skip` or `probability` let pass. */
    matched: entry.matched,
    applied: entry.applied,
    /** How often the rule can still apply; null means without limit. */
    left: left(entry),
  }
}

/** A rule with its counters. */
export interface RuleView extends Readonly<ReturnType<typeof view>> {}

export type Rules = ReturnType<typeof createRules>

/**
 * The rules of a sandbox. All methods are synchronous, so parallel requests never share a state.
 */
export function createRules(ids: Pick<Ids, 'uuid' | 'dice'>, initial: readonly Rule[] = []) {
  let entries: CountedRule[] = []
  let variables = new Map<string, string>()

  const inOrder = () => entries.toSorted((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0))

  const isReady = (entry: CountedRule): boolean =>
    left(entry) !== 0 &&
    Object.entries(entry.rule.when ?? {}).every(
      ([name, value]) => (variables.get(name) ?? '') === value,
    )

  const applies = (entry: CountedRule): boolean => {
    const { rule } = entry
    const n = entry.matched
    entry.matched += 1
    if (n < (rule.skip ?? 0)) return false
    return ids.dice(`rule:${rule.id}`, n) < (rule.probability ?? 1)
  }

  const rules = {
    list: (): readonly RuleView[] => entries.map(view),
    get(id: string): RuleView | undefined {
      const entry = entries.find(({ rule }) => rule.id === id)
      return entry && view(entry)
    },
    /** Adds a rule after those of its priority; null if its id is in use. */
    create(rule: Rule): RuleView | null {
      const id = rule.id ?? ids.uuid('rule')
      if (entries.some((entry) => entry.rule.id === id)) return null
      return rules.set(id, rule)
    },
    /** Replaces the rule of this id, with counters at 0, or adds it at the end. */
    set(id: string, rule: Rule): RuleView {
      const entry: CountedRule = { rule: { ...rule, id }, matched: 0, applied: 0 }
      const index = entries.findIndex((other) => other.rule.id === id)
      if (index < 0) entries.push(entry)
      else entries[index] = entry
      return view(entry)
    },
    delete(id: string): boolean {
      const before = entries.length
      entries = entries.filter(({ rule }) => rule.id !== id)
      return entries.length < before
    },
    clear(): void {
      entries = []
      variables.clear()
    },
    wantsBody: (request: MatchableRequest): boolean =>
      entries.some(
        (entry) =>
          readsBody(entry.rule.match) &&
          isReady(entry) &&
          firstDifference(withoutBody(entry.rule.match ?? {}), request) === null,
      ),
    /** Chooses the rule for a request and updates its counters and variables, in one turn. */
    take(request: MatchableRequest): AppliedRule | null {
      for (const entry of inOrder()) {
        if (!isReady(entry) || firstDifference(entry.rule.match ?? {}, request) !== null) continue
        const n = entry.matched
        if (!applies(entry)) continue
        entry.applied += 1
        for (const [name, value] of Object.entries(entry.rule.then ?? {}))
          variables.set(name, value)
        const { id, actions } = entry.rule
        return { id, actions, dice: (draw) => ids.dice(`rule:${id}:${draw}`, n) }
      }
      return null
    },
    unused: (): readonly RuleView[] => entries.filter((entry) => (left(entry) ?? 0) > 0).map(view),
    snapshot: (): RulesSnapshot => ({
      rules: entries.map(({ rule, matched, applied }) => ({ rule, matched, applied })),
      variables: Object.fromEntries([...variables].sort(([a], [b]) => (a < b ? -1 : 1))),
    }),
    restore(snapshot: RulesSnapshot): void {
      entries = snapshot.rules.map((entry) => ({ ...entry }))
      variables = new Map(Object.entries(snapshot.variables))
    },
  }
  for (const rule of initial) rules.create(rule)
  return rules
}
