import { optional, required } from '../fields/composites.js'
import { text } from '../fields/scalars.js'
import { type Rule, ruleField } from '../rules/rule.js'
import type { RuleView } from '../rules/rules.js'
import {
  type Calls,
  ControlError,
  type ControlIssue,
  invalidAt,
  notFound,
  readParams,
} from './host.js'

const id = text({ min: 1, max: 100 })

function issuesOf({ actions }: Rule, path: string, isListening: boolean): readonly ControlIssue[] {
  return actions.flatMap((action, n) => {
    if ('socket' in action && !isListening)
      return [{ path: `${path}actions[${n}].socket`, message: 'needs a port: nothing listens yet' }]
    if (!('delayMs' in action) || typeof action.delayMs !== 'object') return []
    const { min, max } = action.delayMs
    return max < min
      ? [{ path: `${path}actions[${n}].delayMs.max`, message: 'must not be below min' }]
      : []
  })
}

/** @throws ControlError (422) for actions that this server cannot perform */
export function checkActions(
  rules: readonly Rule[],
  pathOf: (n: number) => string,
  isListening: boolean,
): void {
  const errors = rules.flatMap((rule, n) => issuesOf(rule, pathOf(n), isListening))
  if (errors.length > 0) throw new ControlError('invalid', 'Validation Failed', { errors })
}

export function createRulesControl(isListening: () => boolean, { bare, call, plain }: Calls) {
  const check = (rules: readonly unknown[], pathOf: (n: number) => string): readonly Rule[] => {
    const read = rules.map((rule) => readParams(ruleField, rule))
    checkActions(read, pathOf, isListening())
    return read
  }
  const checkOne = (rule: unknown): Rule => check([rule], () => '')[0] as Rule
  return {
    /** Adds one rule or several; if one is refused, none is added. */
    create: bare((given: Rule | readonly Rule[], { rules }) => {
      const several = Array.isArray(given)
      const read = several ? check(given, (n) => `[${n}].`) : [checkOne(given)]
      const ids = read.flatMap(({ id: own }) => own ?? [])
      const twice = ids.find((own, n) => ids.indexOf(own) !== n)
      if (twice) throw new ControlError('conflict', `The rule ${twice} is given twice`)
      const taken = ids.find((own) => rules.get(own))
      if (taken) throw new ControlError('conflict', `There is a rule ${taken} already`)
      const made = read.map((rule) => rules.create(rule))
      return several ? made : made[0]
    }) as {
      (rule: Rule): Promise<RuleView>
      (rules: readonly Rule[]): Promise<readonly RuleView[]>
    },
    list: plain(({ rules }) => rules.list()),
    get: call(
      { id: required(id) },
      (params, { rules }) => rules.get(params.id) ?? notFound('rule'),
    ),
    /** Adds or replaces the rule with this id; its counters start at 0. */
    set: bare((rule: Rule & { readonly id: string }, { rules }) => {
      const read = checkOne(rule)
      if (!read.id) throw invalidAt('id', 'is required')
      return rules.set(read.id, read)
    }),
    /** Deletes one rule, or all of them. */
    delete: call({ id: optional(id) }, (params, { rules }) => {
      if (params.id === undefined) rules.clear()
      else if (!rules.delete(params.id)) notFound('rule')
    }),
  }
}
