import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blankJob } from '../../../mock-server/src/domain/job.js'
import type { JobRecord } from '../../../mock-server/src/records/records.js'
import { jobLog } from '../../../mock-server/src/sandbox/lifecycle/log-text.js'
import { start } from './workshop.js'

const at = (ms: number) => new Date(start + ms).toISOString()
const job = (fields: Partial<JobRecord> = {}): JobRecord => ({
  ...blankJob,
  id: '6f1c6a3e-0d0f-4a52-9f3c-1f6a0f4f2b11',
  stepId: 's',
  type: 'script',
  state: 'running',
  name: ':hammer: Make',
  command: 'make test',
  created_at: at(0),
  scheduled_at: at(0),
  started_at: at(0),
  ...fields,
})

describe('a computed log', () => {
  it('is empty before the job has started', () => {
    const log = jobLog(job({ state: 'scheduled', started_at: null }), start + 9_999)
    expect(log).toEqual({ content: '', header_times: [] })
  })

  it('shows headers, the command, plausible output, the failing assertion and the exit status', () => {
    const { content, header_times } = jobLog(
      job({ state: 'failed', exit_status: 3, finished_at: at(30_000) }),
      start,
    )
    expect(content).toContain('~~~ Running :hammer: Make')
    expect(content).toContain('make test')
    expect(content).toMatch(/AssertionError: expected \d+ to be \d+/)
    expect(content.trimEnd().endsWith('Exited with status 3')).toBe(true)
    expect(content.split('\n').length).toBeGreaterThan(20)
    expect(header_times).toHaveLength(
      content.split('\n').filter((line) => /^(---|\+\+\+|~~~) /.test(line)).length,
    )
    for (const time of header_times) expect(time / 1e6).toBeGreaterThanOrEqual(start)
  })

  it('differs for a passed job and one that a signal or the agent ended', () => {
    const end = { finished_at: at(5_000) }
    expect(jobLog(job({ state: 'passed', exit_status: 0, ...end }), start).content).not.toContain(
      'went wrong',
    )
    expect(
      jobLog(job({ state: 'failed', exit_status: 137, signal: 'SIGKILL', ...end }), start).content,
    ).toContain('SIGKILL')
    const canceled = job({ state: 'canceled', exit_status: -1, signal_reason: 'cancel', ...end })
    expect(jobLog(canceled, start).content).toContain('cancel')
  })

  it('only grows at the end, and is always the same', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.nat(600_000),
        fc.nat(600_000),
        fc.boolean(),
        (id, one, other, passed) => {
          const [early = 0, late = 0] = [one, other].sort((a, b) => a - b)
          const running = job({ id })
          const first = jobLog(running, start + early).content
          const second = jobLog(running, start + late).content
          expect(second.startsWith(first)).toBe(true)
          const ended = job({
            id,
            state: passed ? 'passed' : 'failed',
            exit_status: passed ? 0 : 1,
            finished_at: at(late),
          })
          const last = jobLog(ended, start + late).content
          expect(last.startsWith(second)).toBe(true)
          expect(jobLog(ended, start + late + 1e9).content).toBe(last)
          expect(first.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('differs between jobs, and ends growing at some size', () => {
    const other = job({ id: '11111111-0d0f-4a52-9f3c-1f6a0f4f2b11' })
    expect(jobLog(job(), start + 60_000).content).not.toBe(jobLog(other, start + 60_000).content)
    expect(jobLog(job(), start + 1e10).content.length).toBeLessThan(1_048_576)
  })

  it('is replaced by stored text', () => {
    expect(jobLog(job({ log: 'given\n' }), start)).toEqual({ content: 'given\n', header_times: [] })
    expect(jobLog(job({ log: '' }), start).content).toBe('')
  })
})
