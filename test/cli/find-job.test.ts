import { expect, test } from 'vitest'
import { findJob } from '../../cli/src/jobs/find-job.js'
import { jobWord } from '../../cli/src/views/match-jobs.js'
import { job } from './support/build.js'

const log = { raw_log_url: 'https://ci.example.test/log.txt' }
const deploy = job({ id: 'd1', name: ':rocket: Deploy', ...log })
const docs = job({ id: 'd2', name: ':books: Deploy docs', ...log })
const gate = job({ id: 'd3', type: 'manual', name: 'Deploy to production?', unblockable: true })
const party = job({ id: 'd4', name: '🎉', ...log })

test.each([
  ['as shown', '🚀 Deploy', deploy],
  ['as sent', ':rocket: Deploy', deploy],
  ['without the emoji, in any case: exact before part', 'deploy', deploy],
  ['a part, as shown', '🚀', deploy],
  ['a part that one job with a log has', 'oy d', docs],
  ['exact, without a log', 'Deploy to production?', gate],
])('a job is named %s', (_, word, wanted) => {
  expect(findJob([gate, docs, deploy, party], word).id).toBe(wanted.id)
})

test('of jobs with one name the likely one is chosen: with a log, or as the command needs it', () => {
  const [waits, ran] = [
    { ...gate, name: 'Deploy' },
    { ...deploy, name: 'Deploy' },
  ]
  expect(findJob([waits, ran], 'Deploy').id).toBe(ran.id)
  expect(findJob([waits, ran], 'Deploy', (each) => each.unblockable === true).id).toBe(waits.id)
  expect(() => findJob([ran, { ...ran, id: 'd5' }], 'Deploy')).toThrow(
    '2 jobs have the name "Deploy"',
  )
})

test('an earlier attempt is found by its id, and by its name only the latest', () => {
  const id = '00000000-0000-4000-9000-0000000000aa'
  const earlier = { ...deploy, id, retried: true }
  expect(findJob([earlier, deploy], id).id).toBe(id)
  expect(findJob([earlier, deploy], '🚀 Deploy').id).toBe(deploy.id)
})

test('the word for a job is its name with its place, and its id if the name is not enough', () => {
  const shards = [0, 1].map((parallel_group_index) => {
    const place = { parallel_group_index, parallel_group_total: 2 }
    return job({ name: ':vitest: Unit tests', step_key: 'unit', ...place })
  })
  const [lint, key, earlier, long, moved] = [
    job({ name: ':eslint: Lint' }),
    job({ name: 'Lint ', step_key: 'Types' }),
    job({ name: 'Build', retried: true }),
    job({ name: 'Deploy '.repeat(9) }),
    job({ name: 'a\u202eb' }),
  ]
  const jobs = [...shards, lint, key, earlier, long, moved, job({ name: 'Types' })]
  const words = jobs.map((each) => jobWord(each, jobs))
  for (const [at, word] of words.entries()) expect(findJob(jobs, word)).toBe(jobs[at])
  const ids = jobs.map(({ id }) => id)
  expect(words).toEqual(['Unit tests 1/2', 'Unit tests 2/2', 'Lint', 'Lint ', ...ids.slice(4)])
})
