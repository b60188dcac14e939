import type { OperationId } from '@buildwire/sdk/contract'
import type { Match, Rule } from '../../rules/rule.js'
import { createExam, type Exam } from './exam.js'
import { done, type Fault } from './fault.js'
import {
  bearerOf,
  contentPath,
  contentTarget,
  faultRuleId,
  fixedQuery,
  grantTypes,
  type SeenRequest,
} from './requests.js'
import { laterRequests, type Use } from './uses.js'

/** A fault laid over one request of a use: one run of the client. */
export interface Row {
  readonly id: string
  readonly fault: Fault
  readonly use: Use
  /** The request of the run without a fault whose like is struck. */
  readonly struck: SeenRequest
  /** Whether another request than the first is struck. */
  readonly isLater: boolean
}

function rowsOf(fault: Fault, uses: readonly Use[]): readonly Row[] {
  return uses.flatMap((use) => {
    const struck = fault.struck(use)
    if (struck === undefined) return []
    const row: Row = { id: `${fault.id}/${use.target}`, fault, use, struck, isLater: false }
    const later = fault.strikesLater === true ? laterRequests(use) : []
    return [
      row,
      ...later.map(([name, request]): Row => {
        return { id: `${row.id}:${name}`, fault, use, struck: request, isLater: true }
      }),
    ]
  })
}

/** The rows of which each can show something else; a setting shows in one run. */
export function rowsFor(some: readonly Fault[], uses: readonly Use[]): readonly Row[] {
  return some.flatMap((fault) => {
    const rows = rowsOf(fault, uses)
    if (fault.strikes === 'one' || fault.made.by === 'setting') return rows.slice(0, 1)
    if (fault.strikes === undefined) return rows
    return rows.filter(
      (row, index) => rows.findIndex(({ use }) => use.kind === row.use.kind) === index,
    )
  })
}

function matchOf({ use, struck, isLater, fault }: Row): Match {
  const grant_type = grantTypes[use.target]
  if (grant_type !== undefined) return { operation: 'oauth.token', form: { grant_type } }
  if (use.target === contentTarget) return { path: contentPath }
  const match = { operation: use.target as OperationId }
  if (!isLater && !fault.isLife) return match
  return Object.assign(match, { path: struck.path, query: fixedQuery(struck) })
}

/** How many requests of the use match the rule before the one that is struck. */
function skipOf({ use, struck, isLater, fault }: Row): number {
  if (fault.isLife) return 0
  const query = Object.entries(fixedQuery(struck))
  const isMatched = (one: SeenRequest) =>
    one.path === struck.path && query.every(([name, value]) => fixedQuery(one)[name] === value)
  return (isLater ? use.requests.filter(isMatched) : use.requests).indexOf(struck)
}

/** The rules that make a fault; `everything` is all that the run without a fault sent. */
export function rulesOf(
  row: Row,
  everything: readonly SeenRequest[],
  otherOrigin: string,
  now: number,
): readonly Rule[] {
  const { made } = row.fault
  if (made.by === 'setting') return []
  const rule: Rule = {
    id: faultRuleId,
    priority: 1,
    match: matchOf(row),
    skip: skipOf(row),
    actions:
      made.by === 'event' ? (made.actions ?? [done]) : made.actions(row.struck, otherOrigin, now),
  }
  if (made.times === null) return made.isEverywhere === true ? fromThenOn(rule) : [rule]
  if (made.by === 'rule' && made.afterwards !== undefined)
    return followed(Object.assign(rule, { times: made.times }), made.afterwards)
  const limited: Rule = Object.assign(rule, { times: made.times })
  const isEverywhere = made.isEverywhere === true
  return [isEverywhere ? overTokens(limited, row.struck, everything) : limited]
}

/** An exam under the fault of a row, to which the rules come when the address is known. */
export function examOf({ fault }: Row): Exam {
  return createExam(fault, fault.made.by === 'event' ? fault.made.event : undefined)
}

const api = ['/v2/*', '/oauth/*', '/graphql'] as const

/** The first rule strikes one request, and the others everything that comes after it. */
function fromThenOn(first: Rule): readonly Rule[] {
  const others = api.map((path, index): Rule => {
    const id = `${faultRuleId}:${index}`
    return { id, priority: 2, match: { path }, when: { away: 'yes' }, actions: first.actions }
  })
  // biome-ignore lint/suspicious/noThenProperty: the rule's own word
  return [Object.assign(first, { then: { away: 'yes' } }), ...others]
}

/** Rules of which the second strikes the same requests once the first was used up. */
function followed(first: Rule, actions: Rule['actions']): readonly Rule[] {
  const { skip: _, times: __, ...same } = first
  const second = Object.assign({}, same, {
    id: `${faultRuleId}:then`,
    priority: 0,
    when: { begun: 'yes' },
    actions,
  })
  // biome-ignore lint/suspicious/noThenProperty: the rule's own word
  return [Object.assign(first, { then: { begun: 'yes' } }), second]
}

function isTokenRequest(request: SeenRequest): boolean {
  return request.path.startsWith('/v2/') && bearerOf(request) !== ''
}

function overTokens(first: Rule, struck: SeenRequest, everything: readonly SeenRequest[]): Rule {
  const match: Match = { path: '/v2/*', headers: { authorization: { present: true } } }
  const skip = everything.filter(isTokenRequest).indexOf(struck)
  return Object.assign(first, { match, skip })
}
