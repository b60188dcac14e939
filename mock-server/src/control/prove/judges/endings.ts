import { type FaultTrial, type Finding, harm, type Judge, note, seconds } from '../judge.js'
import { keyOf, listOf, pageOf } from '../requests.js'
import { factsOf } from '../uses.js'
import { timesNamed } from './output.js'

/** Under a fault that a second attempt gets over, a command that only reads may not fail. */
export const findGivenUp: Judge<FaultTrial> = ({ exit, struck, after, use }) => {
  if (exit === 'green' || factsOf(use.kind).mayFail) return undefined
  const next = after.filter((request) => keyOf(request) === keyOf(struck)).slice(0, 1)
  const did = next.length === 0 ? 'the client gave up' : 'the client did not get over it'
  const sentence = `One such answer came, and ${did}: the command failed.`
  return { sentence, evidence: [struck, ...next], byExit: true }
}

/** A new first record moves all others down: the last of one page is the first of the next. */
export const findRepeated: Judge<FaultTrial> = (trial) => {
  const { struck, after, output, base } = trial
  const next = after.find(
    (request) => request.good && pageOf(request) === 2 && listOf(request) === listOf(struck),
  )
  const known = new Set(struck.records.map(({ id }) => id))
  const twice = next?.records.filter(({ id }) => known.has(id)) ?? []
  const [first] = twice
  if (next === undefined || first === undefined) return undefined
  const isShown = [first.id, first.number].some(
    (name) =>
      timesNamed(output, name) > 1 && timesNamed(output, name) > timesNamed(base.output, name),
  )
  const came = `A new build came between two pages, and ${twice.length} came twice (id ${first.id})`
  return isShown
    ? harm(`${came}; the command printed it twice.`, struck, next)
    : note(`${came}: make sure that the client drops an id that it has.`, struck, next)
}

/** The server stays silent for so long. */
export const silenceMs = 20_000

export const findPatientForever: Judge<FaultTrial> = ({ struck }): Finding | undefined =>
  struck.durationMs < silenceMs - 500
    ? undefined
    : note(
        `The client waited ${seconds(silenceMs)} for an answer and did not give up: make sure that it has a time limit.`,
        struck,
      )
