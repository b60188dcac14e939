import { optional, required } from '../fields/composites.js'
import { text } from '../fields/scalars.js'
import { type Rule, ruleField } from '../rules/rule.js'
import type { RuleView } from '../rules/rules.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { ControlError, type ControlIssue, invalidAt, notFound } from './control-error.js'
import { type Calls, guarded, readParams } from './host.js'

const id = text({ min: 1, max: 100 })

/** What is wrong with a rule's actions here. */
const faultsOf = ({ actions }: Rule, path: string, isListening: boolean): readonly ControlIssue[] =>
  actions.flatMap((action, n) => {
    if ('socket' in action && !isListening)
      return [{ path: `${path}actions[${n}].socket`, message: 'needs a port: nothing listens yet' }]
    if (!('delayMs' in action) || typeof action.delayMs !== 'object') return []
    const { min, max } = action.delayMs
    return max < min ? [{ path: `${path}actions[${n}].delayMs.max`, message: 'must not be below min' }] : []
  })

/** @throws ControlError (422) for actions that cannot be done here */
export const checkActions = (rules: readonly Rule[], pathOf: (n: number) => string, isListening: boolean): void => {
  const errors = rules.flatMap((rule, n) => faultsOf(rule, pathOf(n), isListening))
  if (errors.length > 0) throw new ControlError('invalid', 'Validation Failed', { errors })
}

const checkRule = (rule: unknown, isListening: boolean): Rule => {
  const read = readParams(ruleField, rule)
  checkActions([read], () => '', isListening)
  return read
}

const checkRules = (rules: readonly unknown[], isListening: boolean): readonly Rule[] => {
  const read = rules.map((rule) => readParams(ruleField, rule))
  checkActions(read, (n) => `[${n}].`, isListening)
  const ids = read.flatMap(({ id }) => id ?? [])
  const twice = ids.find((id, n) => ids.indexOf(id) !== n)
  if (twice) throw new ControlError('conflict', `The rule ${twice} is given twice`)
  return read
}

export const createRulesControl = (sandbox: Sandbox, isListening: () => boolean, { call, plain }: Calls) => {
  const taken = (id: string) => new ControlError('conflict', `There is a rule ${id} already`)

  async function create(rule: Rule): Promise<RuleView>
  async function create(rules: readonly Rule[]): Promise<readonly RuleView[]>
  async function create(given: Rule | readonly Rule[]): Promise<RuleView | readonly RuleView[]> {
    const { rules } = sandbox.current
    const add = (rule: Rule): RuleView => {
      const made = rules.create(rule)
      if (made) return made
      throw taken(rule.id ?? '')
    }
    if (!Array.isArray(given)) return add(checkRule(given, isListening()))
    const read = checkRules(given, isListening())
    const known = read.find((rule) => rule.id && rules.get(rule.id))
    if (known) throw taken(known.id ?? '')
    return read.map(add)
  }

  return {
    /** Adds a rule, or several at once: all or none. */
    create,
    list: plain(({ rules }) => rules.list()),
    get: call({ id: required(id) }, (params, { rules }) => rules.get(params.id) ?? notFound('rule')),
    /** Puts a rule in the place of this id; its counters start at 0. */
    set: (rule: Rule & { readonly id: string }) =>
      guarded(() => {
        const read = checkRule(rule, isListening())
        if (!read.id) throw invalidAt('id', 'is required')
        return sandbox.current.rules.set(read.id, read)
      }),
    /** Deletes one rule, or all of them. */
    delete: call({ id: optional(id) }, (params, { rules }) => {
      if (params.id === undefined) rules.clear()
      else if (!rules.delete(params.id)) notFound('rule')
    }),
  }
}
