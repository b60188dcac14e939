import { type FailureSummary, fetchTransport, summarizeFailure } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { client, path } from './support/client.js'

/** The summary of a failed build with this job, whose log a service sends; it honours `Range`. */
async function summaryOf(
  log: string,
  { maxBytes = 32_768, exit_status = 1, broken = 0 } = {},
): Promise<FailureSummary> {
  const times = { started_at: '2026-03-01T09:00:00.000Z', finished_at: '2026-03-01T09:00:09.000Z' }
  const job = { id: 'a', type: 'script', name: 'Tests', state: 'failed', exit_status, ...times }
  const others = Array.from({ length: broken }, (_, at) => {
    return { id: `b${at}`, type: 'script', name: `Deploy ${at}`, state: 'broken' }
  })
  const bytes = Buffer.from(log)
  const transport = fetchTransport(() => async (url, init) => {
    if (url.includes('/annotations')) return Response.json([])
    if (!url.includes('/log.txt')) {
      const build = { id: 'c', number: 2, state: 'failed', jobs: [job, ...others] }
      return Response.json(/builds\/\d/.test(url) ? build : [])
    }
    const range = new Headers(init?.headers).get('range')
    const last = /^bytes=-(\d+)$/.exec(range ?? '')?.[1]
    const headers = { 'content-type': 'text/plain' }
    if (last === undefined) return new Response(bytes, { headers })
    const from = Math.max(0, bytes.length - Number(last))
    const part = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
    return new Response(bytes.subarray(from), {
      status: 206,
      headers: { ...headers, 'content-range': part },
    })
  })
  const ci = client('http://127.0.0.1:9', { transport, maxRetries: 0 })
  return summarizeFailure(ci, { ...path, number: 2 }, { maxBytes })
}

const linesOf = ({ problems: [first] }: FailureSummary) => first?.log?.lines ?? []
const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

test('a tab becomes blanks up to the next column that eight divides', async () => {
  expect(linesOf(await summaryOf('Error: x\n\tat a (b.js:1)\nab\tc\n'))).toEqual([
    'Error: x',
    '        at a (b.js:1)',
    'ab      c',
  ])
})

test('a telling state of a line that another one was drawn over is shown before it', async () => {
  const log = `a\n10%\r\u001b[31mERROR: checksum mismatch\u001b[0m\r100%\nb\n`
  expect(linesOf(await summaryOf(log))).toEqual(['a', 'ERROR: checksum mismatch', '100%', 'b'])
})

test('a long line is cut around its telling word, and says so', async () => {
  const filler = 'x '.repeat(5_000)
  const [line = ''] = linesOf(await summaryOf(`${filler}TypeError: no total${filler}\n`))
  expect(line).toMatch(/^….*TypeError: no total.*…$/)
  expect(line.length).toBeLessThanOrEqual(402)
})

test('a last line that is longer than what is read is shown', async () => {
  const summary = await summaryOf(`start\n${'y'.repeat(2_000_000)}\n`)
  expect(linesOf(summary).at(-1)).toMatch(/^…?y+…$/)
  expect(summary.problems[0]?.log_absent).toBeNull()
})

test('the reason in the middle of a long log is found when its end does not say it', async () => {
  const log = `${many(20_000, (at) => `checked ${at}`)}AssertionError: total is 3\n${many(200_000, (at) => `wrote part ${at} of the archive`)}`
  const summary = await summaryOf(log)
  expect(linesOf(summary)).toContain('AssertionError: total is 3')
  expect(summary.truncated).toMatchObject([{ what: 'logs', count: 1 }])
  expect(summary.truncated[0]?.bytes).toBeGreaterThan(5_000_000)
})

test('results of Go tests and headers of diffs do not begin a group', async () => {
  const log = `+++ Test\n${many(80, (at) => `row ${at}`)}--- PASS: TestA (0.1s)\n--- a/file\n+++ b/file\n+ new\n`
  const lines = linesOf(await summaryOf(log))
  expect(lines).toContain('+++ b/file')
  expect(lines).toContain('row 79')
  expect(lines).toContain('row 40')
})

test('a first group that is open does not hide the group that failed', async () => {
  const log = `+++ Environment\n${many(80, (at) => `A${at}=1`)}--- Build\nfatal: no such rule\n`
  expect(linesOf(await summaryOf(log))).toContain('fatal: no such rule')
})

test('hooks behind the group that failed get two lines', async () => {
  const log = `--- Build\n${many(90, (at) => `row ${at}`)}sum is wrong\n^^^ +++\n~~~ Running post-command hook\n${many(90, (at) => `hook ${at}`)}`
  const lines = linesOf(await summaryOf(log))
  expect(lines).toContain('sum is wrong')
  expect(lines.filter((line) => line.startsWith('hook '))).toEqual(['hook 88', 'hook 89'])
})

test('a small summary has no nulls and gives more than half of its bytes to the log', async () => {
  const log = many(400, (at) => `src/file${at}.ts:${at}:1: error: part ${at} of the sum is wrong`)
  const summary = await summaryOf(log, { maxBytes: 2_000 })
  const { log: excerpt, ...frame } = summary.problems[0] ?? {}
  expect(JSON.stringify(excerpt).length).toBeGreaterThan(1_000)
  expect(Object.values({ ...summary.build, ...frame, log_absent: 0 })).not.toContain(null)
})

test('jobs that did not run are names in one list', async () => {
  const summary = await summaryOf('boom\n', { broken: 9 })
  expect(summary.not_run).toEqual(Array.from({ length: 9 }, (_, at) => `Deploy ${at}`))
  expect(summary.problems).toHaveLength(1)
  expect(JSON.stringify(summary).length).toBeLessThan(2_000)
})

test.each([
  [137, 'Its command exited with status 137 (killed, often out of memory)'],
  [139, 'Its command exited with status 139 (crashed: segmentation fault)'],
  [127, 'Its command exited with status 127 (a command was not found)'],
  [3, 'Its command exited with status 3'],
])('exit status %i is put in words', async (exit_status, sentence) => {
  expect((await summaryOf('x\n', { exit_status })).problems[0]?.sentence).toBe(sentence)
})

test('lines that report success do not surround the reason, and are shown where none is found', async () => {
  const passed = many(90, (at) => `[3/8] ✓ cart adds item ${at} (11 ms)`)
  const lines = linesOf(
    await summaryOf(`${passed}✗ cart loses an item\n${passed}Exited with status 1\n`),
  )
  expect(lines).toEqual(['✗ cart loses an item', '[90 lines left out]', 'Exited with status 1'])
  expect(linesOf(await summaryOf(passed))).toContain('[3/8] ✓ cart adds item 89 (11 ms)')
})

test('blank lines between shown ones count as lines', async () => {
  const rows = many(100, (at) => `row ${at}\n`)
  expect(linesOf(await summaryOf(`${rows}Error: x\n`)).length).toBeLessThanOrEqual(61)
})
