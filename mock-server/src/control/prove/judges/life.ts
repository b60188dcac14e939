import { type FaultTrial, harm, isAfter, type Judge, note } from '../judge.js'
import { keyOf, type SeenRequest } from '../requests.js'
import { awaitedBuild, isOver } from '../uses.js'
import { printedLines, timesNamed } from './output.js'

function answersFor(seen: readonly SeenRequest[], struck: SeenRequest): readonly SeenRequest[] {
  return seen.filter((request) => request.good && keyOf(request) === keyOf(struck))
}

/** A client that waits for the end of a build may not pass while the build is under way. */
export const findStoppedWaiting: Judge<FaultTrial> = ({ exit, seen, aim }) => {
  const last = answersFor(seen, aim).at(-1)
  const build = last && awaitedBuild(last, seen)
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
  const state = last && awaitedBuild(last, seen)?.state
  const isPassedUsually = usual && awaitedBuild(usual, base.seen)?.state === 'passed'
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

const beginsWork = /^builds\.(?:create|rebuild|cancel|retryFailedJobs)$/

/**
 * A client may not need the end of a build that it set going; only its author knows. A build that
 * it never looked at was started to run alone, but jobs are run again to see how they end.
 */
export const findLeftUnderWay: Judge = ({ exit, seen }) => {
  if (exit !== 'green') return undefined
  for (const write of seen) {
    const { done, operation, records } = write
    const number = records[0]?.number
    if (!done || number === undefined || !beginsWork.test(operation ?? '')) continue
    const last = lastShown(seen, number)
    const [build] = last?.records ?? []
    if (last && build && !isOver(build) && !isAfter(write, last))
      return note(`Build ${number} was still ${build.state} when the client last read it.`, last)
    if (last === undefined && operation === 'builds.retryFailedJobs')
      return note(`The client ran jobs of build ${number} again, and never read the build.`, write)
  }
  return undefined
}

/** A client that looks for its build after a lost answer changes the one that it created, or none. */
export const findForeignWrite: Judge<FaultTrial> = ({ seen, base, struck }) => {
  const usual = new Set(base.seen.map(({ path }) => path))
  const isChange = ({ done, operation }: SeenRequest) =>
    done && operation !== 'builds.create' && beginsWork.test(operation ?? '')
  const foreign = seen.find((request) => isChange(request) && !usual.has(request.path))
  return (
    foreign &&
    harm(
      'The client took the newest build for its own, and changed that of another user.',
      struck,
      foreign,
    )
  )
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
