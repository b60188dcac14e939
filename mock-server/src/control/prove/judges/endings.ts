import { type FaultTrial, type Finding, harm, type Judge, note, seconds } from '../judge.js'
import { keyOf, listOf, pageOf, type SeenRequest } from '../requests.js'
import { factsOf, isOver } from '../uses.js'

/** Under a fault that a second attempt gets over, a command that only reads may not fail. */
export const findGivenUp: Judge<FaultTrial> = ({ exit, struck, after, use }) => {
  if (exit === 'green' || factsOf(use.kind).mayFail) return undefined
  const next = after.filter((request) => keyOf(request) === keyOf(struck)).slice(0, 1)
  const did = next.length === 0 ? 'the client gave up' : 'the client did not get over it'
  const sentence = `One such answer came, and ${did}: the command failed.`
  return { sentence, evidence: [struck, ...next], byExit: true }
}

function answersFor(seen: readonly SeenRequest[], struck: SeenRequest): readonly SeenRequest[] {
  return seen.filter((request) => request.good && keyOf(request) === keyOf(struck))
}

/** A client that waits for the end of a build may not pass while the build is under way. */
export const findStoppedWaiting: Judge<FaultTrial> = ({ exit, seen, aim }) => {
  const last = answersFor(seen, aim).at(-1)
  const [build] = last?.records ?? []
  if (exit !== 'green' || last === undefined || build === undefined || isOver(build))
    return undefined
  const state = build.blocked === true ? 'waiting at a gate' : String(build.state)
  return harm(
    `The client stopped waiting while the build was ${state}, and the command passed.`,
    last,
  )
}

/** What a program prints, without times, numbers and ids. */
function printedLines(output: string): ReadonlySet<string> {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/(?<![\w-])(?=[A-Za-z_-]*\d)[\w-]+/g, '#').trim())
  return new Set(lines.filter((line) => line !== ''))
}

/** A build that did not pass, and a command that passes and prints nothing else than usual. */
export const findSilentEnd: Judge<FaultTrial> = ({ exit, seen, aim, output, base }) => {
  const last = answersFor(seen, aim).at(-1)
  const usual = answersFor(base.seen, aim).at(-1)
  const state = last?.records[0]?.state
  const isPassedUsually = usual?.records[0]?.state === 'passed'
  if (exit !== 'green' || last === undefined || !isPassedUsually || state === 'passed')
    return undefined
  if (output === null || base.output === null) return undefined
  const known = printedLines(base.output)
  if ([...printedLines(output)].some((line) => !known.has(line))) return undefined
  return harm(
    `The build ended as ${state}; the command passed and printed what it prints for a build that passed.`,
    last,
  )
}

/** How often a record is named in a text. */
function timesNamed(output: string | null, name: unknown): number {
  const words = (output ?? '').match(/[\w-]+/g) ?? []
  return words.filter((word) => word === String(name)).length
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
