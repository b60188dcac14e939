import { type FaultTrial, type Finding, type Judge, note, seconds } from '../judge.js'
import { bearerOf, keyOf } from '../requests.js'
import { factsOf } from '../uses.js'

/** Under a fault that a second attempt gets over, a command that only reads may not fail. */
export const findGivenUp: Judge<FaultTrial> = ({ exit, struck, after, use }) => {
  if (exit === 'green' || factsOf(use.kind).mayFail) return undefined
  const next = after.filter((request) => keyOf(request) === keyOf(struck)).slice(0, 1)
  const did = next.length === 0 ? 'the client gave up' : 'the client did not get over it'
  const sentence = `One such answer came, and ${did}: the command failed.`
  return { sentence, evidence: [struck, ...next], byExit: true }
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

/** A token that ends early can be had again by the same grant; whether it must, its author knows. */
export const findNotRenewed: Judge<FaultTrial> = ({ exit, after }) => {
  const refused = after.find((one) => one.status === 401 && bearerOf(one) !== '')
  const isRenewed = after.some(({ target }) => target === 'exchange' || target === 'refresh')
  return exit === 'green' || refused === undefined || isRenewed
    ? undefined
    : note(
        'The token ended early; the client asked for no other one, and the command failed.',
        refused,
      )
}
