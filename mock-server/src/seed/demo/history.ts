import type { SeedContext } from '../context.js'
import type { Ending } from './endings.js'
import { changes } from './messages.js'
import type { Person } from './people.js'
import type { PipelineSlug } from './pipelines.js'
import type { PlannedBuild } from './planned-build.js'
import { nights, workingMoments } from './working-hours.js'

const hour = 3_600_000
const day = 24 * hour

/**
 * How many builds of each pipeline ended how, before the last three hours. Each skipped docs build has a follower that
 * replaced it, and each infra build that passes triggers two web builds: with those and the recent ones it is 320.
 */
const counts: Readonly<Record<Exclude<PipelineSlug, 'nightly'>, Readonly<Partial<Record<Ending, number>>>>> = {
  web: { passed: 57, failed: 12, canceled: 9, blocked: 8 },
  api: { passed: 64, failed: 10, canceled: 4 },
  mobile: { passed: 24, failed: 9, canceled: 2 },
  infra: { passed: 9, failed: 1 },
  docs: { passed: 20, failed: 5, skipped: 8, notRun: 5 },
}
const nightlyFailures: ReadonlySet<number> = new Set([4, 9, 15])

const creators: Readonly<Record<PipelineSlug, readonly Person[]>> = {
  web: ['robin', 'mina', 'sam', 'robin', 'jules'],
  api: ['mina', 'tomas', 'mina', 'robin'],
  mobile: ['tomas', 'robin', 'sam'],
  infra: ['tomas'],
  docs: ['sam', 'mina', 'bot', 'robin'],
  nightly: [],
}

export function pastBuilds(context: SeedContext): readonly PlannedBuild[] {
  const kinds = shuffled(
    context,
    Object.entries(counts).flatMap(([pipeline, endings]) =>
      Object.entries(endings).flatMap(([ending, count]) =>
        Array.from({ length: count }, () => ({ pipeline: pipeline as PipelineSlug, ending: ending as Ending })),
      ),
    ),
  )
  const moments = workingMoments(context, kinds.length, context.now - 21 * day, context.now - 3 * hour)
  const daytime = kinds.map(({ pipeline, ending }, index) =>
    pastBuild(context, { pipeline, ending, at: moments[index] ?? context.now - day, index }),
  )
  return [...daytime, ...nights(20, context.now - 3 * hour).map(nightlyBuild)]
}

function pastBuild(
  context: SeedContext,
  { pipeline, ending, at, index }: Pick<PlannedBuild, 'pipeline' | 'ending' | 'at'> & { readonly index: number },
): PlannedBuild {
  const list = changes[pipeline]
  const [branch, message] = list[Math.floor(context.dice('demo:change', index) * list.length)] ?? ['main', 'Change']
  const people = creators[pipeline]
  const creator = people[Math.floor(context.dice('demo:creator', index) * people.length)] ?? 'robin'
  const onMain = ending === 'blocked' || (ending !== 'skipped' && context.dice('demo:main', index) < 0.5)
  const fork = pipeline === 'docs' && ending === 'passed' && index % 2 === 0
  const base = { pipeline, ending, at, message }
  if (ending === 'notRun')
    return { ...base, branch: 'gh-pages', message: 'Publish the site', creator: 'bot', source: 'api' }
  if (!fork) return { ...base, branch: onMain ? 'main' : branch, creator, ...(index % 9 === 4 ? { source: 'ui' } : {}) }
  return {
    ...base,
    branch: `noor:${branch}`,
    creator: null,
    author: { name: 'Noor', email: 'noor@forks.example' },
    pullRequest: {
      id: String(300 + index),
      base: 'main',
      repository: 'https://git.example/noor/docs.git',
      labels: index % 4 === 0 ? ['documentation', 'first-contribution'] : ['documentation'],
      draft: index % 6 === 0,
    },
  }
}

const nightlyBuild = (at: number, index: number): PlannedBuild => ({
  at,
  pipeline: 'nightly',
  ending: nightlyFailures.has(index) ? 'failed' : 'passed',
  branch: 'main',
  message: 'Nightly end-to-end run 🌃',
  creator: null,
  source: 'schedule',
})

function shuffled<T>(context: SeedContext, list: readonly T[]): readonly T[] {
  return list
    .map((value, index) => ({ value, order: context.dice('demo:order', index) }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value)
}
