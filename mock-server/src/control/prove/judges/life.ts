import { type FaultTrial, harm, type Judge, note } from '../judge.js'
import { keyOf, type SeenRequest } from '../requests.js'
import { isOver } from '../uses.js'
import { printedLines, timesNamed } from './output.js'

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

/** The last answer that showed a build, by its number. */
function lastShown(seen: readonly SeenRequest[], number: unknown): SeenRequest | undefined {
  const shows = ({ good, operation, records: [record] }: SeenRequest) =>
    good && /^builds\.(?:get|cancel)$/.test(operation ?? '') && record?.number === number
  return seen.findLast(shows)
}

/** A client that cancels and goes on may not need the end; only its author knows. */
export const findLeftCanceling: Judge<FaultTrial> = ({ exit, seen, struck }) => {
  const last = lastShown(seen, struck.records[0]?.number)
  return exit === 'green' && last?.records[0]?.state === 'canceling'
    ? note('The build was still canceling when the client went on.', last)
    : undefined
}

function createdNumber(seen: readonly SeenRequest[]): unknown {
  return seen.find(({ operation, done }) => done && operation === 'builds.create')?.records[0]
    ?.number
}

/** A client that names its build without a fault names it too when the numbers shift by one. */
export const findWrongNumber: Judge<FaultTrial> = ({ exit, seen, output, base, struck }) => {
  const usual = createdNumber(base.seen)
  const created = createdNumber(seen)
  const isNamed = timesNamed(base.output, usual) > 0
  if (exit !== 'green' || output === null || !isNamed || created === usual) return undefined
  const isWrong = timesNamed(output, usual) > 0 && timesNamed(output, created) === 0
  return isWrong
    ? harm(`The client created build ${created}, and the command named ${usual}.`, struck)
    : undefined
}
