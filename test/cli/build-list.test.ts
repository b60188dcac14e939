import type { Build } from '@buildwire/sdk/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { painter } from '../../cli/src/io/color.js'
import { commandLine } from '../../cli/src/io/printable.js'
import { cells } from '../../cli/src/io/width.js'
import { artifactColumns } from '../../cli/src/views/artifact-list.js'
import { buildColumns } from '../../cli/src/views/build-list.js'
import { recordTable } from '../../cli/src/views/record-table.js'
import type { View } from '../../cli/src/views/view.js'
import { ago, build, NOW, user } from './support/build.js'

function view(width: number, looks: Partial<View['looks']> = {}): View {
  return {
    width,
    looks: { ascii: false, plain: false, utc: true, paint: painter(false), ...looks },
    now: NOW,
    manyPipelines: false,
    command: commandLine,
    link: (text) => text,
  }
}

const buildList = (builds: readonly Build[], seen: View) => recordTable(builds, buildColumns, seen).map(String)

const sample = [
  build({
    number: 4215,
    state: 'scheduled',
    message: 'Bump node to 20.19',
    branch: 'deps/node-20',
    creator: user('bot-deps'),
    created_at: ago(8),
  }),
  build({
    number: 4214,
    state: 'running',
    message: 'Add rate limiting to the upload endpoint',
    branch: 'feat/uploads',
    creator: user('robin'),
    created_at: ago(360),
    started_at: ago(363),
  }),
  build({
    number: 4213,
    state: 'failing',
    message: '修正: ログイン画面の文言 (#318)',
    branch: 'fix/login-copy',
    creator: user('kim'),
    created_at: ago(540),
    started_at: ago(280),
  }),
  build({
    number: 4212,
    message: 'Fix flaky checkout spec 🎉',
    creator: user('robin'),
    created_at: ago(1560),
    started_at: ago(1500),
    finished_at: ago(1248),
  }),
  build({
    number: 4211,
    blocked: true,
    message: 'Release 2.31',
    branch: 'release/2.31',
    creator: user('sam'),
    created_at: ago(3600),
    started_at: ago(3500),
    finished_at: ago(3025),
  }),
  build({
    number: 4210,
    state: 'failed',
    message: 'Move session store to the new cluster, drop the old client',
    creator: user('kim'),
    created_at: ago(7200),
    started_at: ago(7100),
    finished_at: ago(6372),
  }),
  build({
    number: 4209,
    state: 'canceled',
    message: 'wip',
    branch: 'spike/wasm',
    creator: user('robin'),
    created_at: ago(3 * 3600),
    started_at: ago(9000),
    finished_at: ago(9000),
  }),
  build({ number: 4208, state: 'skipped', message: null, created_at: '2026-11-27T14:02:00Z', branch: 'main' }),
]
sample[7] = { ...build({ number: 4208, state: 'skipped', message: null }), created_at: '2026-11-25T14:02:00Z' }

describe('the list of builds', () => {
  it('fills 100 columns, each as wide as its content, the message taking the rest', () => {
    expect(buildList(sample, view(100)).join('\n')).toBe(
      `
STATE        BUILD  MESSAGE                             BRANCH          BY           TIME  CREATED
◦ scheduled   4215  Bump node to 20.19                  deps/node-20    bot-deps           8s ago
▸ running     4214  Add rate limiting to the upload e…  feat/uploads    robin      6m 03s  6m ago
✗ failing     4213  修正: ログイン画面の文言 (#318)     fix/login-copy  kim        4m 40s  9m ago
✓ passed      4212  Fix flaky checkout spec 🎉          main            robin      4m 12s  26m ago
◫ blocked     4211  Release 2.31                        release/2.31    sam        7m 55s  1h ago
✗ failed      4210  Move session store to the new clu…  main            kim       12m 08s  2h ago
⊘ canceled    4209  wip                                 spike/wasm      robin          0s  3h ago
» skipped     4208  (no message)                        main                               Wed 14:02`.slice(1),
    )
  })

  it('shows whole names and branches where the message has plenty', () => {
    const long = [build({ message: 'wip', branch: 'feature/webhook-retries', creator: user('tomas-lindqvist') })]
    expect(buildList(long, view(100))[1]).toContain('feature/webhook-retries  tomas-lindqvist')
    const message = 'Move session store to the new cluster, drop the old client and its retries'
    const both = [build({ ...long[0], message })]
    expect(buildList(both, view(100))[1]).toContain('feature/webhook-ret…  tomas-lin…')
    const wide = buildList(both, view(140))[1] ?? ''
    expect(wide).toContain('feature/webhook-retries  tomas-lindqvist')
    expect(wide).toContain(message.slice(0, 64))
  })

  it('has no column in which every row is empty', () => {
    const waiting = [build({ state: 'scheduled', branch: 'main', creator: user('robin') })]
    expect(buildList(waiting, view(100))[0]).toBe('STATE        BUILD  MESSAGE  BRANCH  BY     CREATED')
  })

  it('is never wider than the terminal, whatever people call things', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 })
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), text, text, text, (width, message, branch, name) => {
        const rows = [build({ message, branch, creator: user(name) }), ...sample]
        for (const line of buildList(rows, view(width))) {
          expect(cells(line)).toBeLessThanOrEqual(width)
          // What is ours: right-to-left text stands between these two.
          const bare = String(line).replace(/\u2068([^\u2068\u2069]*)\u2069/gu, '$1')
          expect(bare).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
    )
  })

  it('starts every column at the same cell with emoji, flags, CJK, combining marks and RTL (C11)', () => {
    const messages = ['👩‍👩‍👧‍👦 family', '🇩🇪 flag', '修正', 'e\u0301clair', 'שלום עולם', 'plain']
    const lines = buildList(
      messages.map((message) => build({ message, branch: 'BRANCH-X' })),
      view(100),
    )
    const starts = lines.slice(1).map((line) => cells(line.slice(0, line.indexOf('BRANCH-X'))))
    expect(new Set(starts).size).toBe(1)
  })
})

describe('a list of artifacts', () => {
  const of = (path: string, file_size: number | null, state = 'finished') => ({
    id: path.length.toString(),
    path,
    file_size,
    state,
  })

  it('has sizes as people say them, and a state only where there is no content', () => {
    const files = [of('a', 0), of('log/a.txt', 999), of('dist.tar.gz', 12_345), of('image', 3_100_000_000)]
    const table = (all: typeof files, width = 80) => recordTable(all, artifactColumns, view(width)).map(String)
    expect(table(files)).toEqual([
      'PATH            SIZE  ID',
      'a                0 B  1',
      'log/a.txt      999 B  9',
      'dist.tar.gz  12.3 kB  11',
      'image         3.1 GB  5',
    ])
    expect(table([of('gone.txt', null, 'expired')])).toEqual([
      'PATH      SIZE  STATE    ID',
      'gone.txt        expired  8',
    ])
  })
})
