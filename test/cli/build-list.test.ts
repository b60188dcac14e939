import type { Build } from '@buildwire/sdk/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cells } from '../../cli/src/io/width.js'
import { artifactColumns, buildColumns, recordTable } from '../../cli/src/views/lists.js'
import type { ViewOptions } from '../../cli/src/views/view.js'
import { ago, build, user, view } from './support/build.js'

const buildList = (builds: readonly Build[], seen: ViewOptions) =>
  recordTable(builds, buildColumns, seen).map(String)

const row = (
  number: number,
  fields: Partial<Build>,
  by: string,
  created: number,
  started?: number,
  finished?: number,
) =>
  build({
    number,
    creator: user(by),
    created_at: ago(created),
    ...fields,
    started_at: started === undefined ? null : ago(started),
    finished_at: finished === undefined ? null : ago(finished),
  })

const login = { message: '修正: ログイン画面の文言 (#318)', branch: 'fix/login-copy' }
const upload = { message: 'Add rate limiting to the upload endpoint', branch: 'feat/uploads' }
const store = { message: 'Move session store to the new cluster, drop the old client' }
const sample = [
  row(
    4215,
    { state: 'scheduled', message: 'Bump node to 20.19', branch: 'deps/node-20' },
    'bot-deps',
    8,
  ),
  row(4214, { state: 'running', ...upload }, 'robin', 360, 363),
  row(4213, { state: 'failing', ...login }, 'kim', 540, 280),
  row(4212, { message: 'Fix flaky checkout spec 🎉' }, 'robin', 1560, 1500, 1248),
  row(
    4211,
    { blocked: true, message: 'Release 2.31', branch: 'release/2.31' },
    'sam',
    3600,
    3500,
    3025,
  ),
  row(4210, { state: 'failed', ...store }, 'kim', 7200, 7100, 6372),
  row(
    4209,
    { state: 'canceled', message: 'wip', branch: 'spike/wasm' },
    'robin',
    3 * 3600,
    9000,
    9000,
  ),
  {
    ...build({ number: 4208, state: 'skipped', message: null }),
    created_at: '2026-11-25T14:02:00Z',
  },
]

describe('the list of builds', () => {
  it('fills 100 columns, each as wide as its content, the message taking the rest', () => {
    expect(buildList(sample, view(100)).join('\n')).toBe(
      `
STATE        BUILD  MESSAGE                             BRANCH          BY           TIME  CREATED
◦ scheduled   4215  Bump node to 20.19                  deps/node-20    bot-deps           8s ago
▸ running     4214  Add rate limiting to the upload e…  feat/uploads    robin      6m 03s  6m ago
✗ failing     4213  修正: ログイン画面の文言 (#318)     fix/login-copy  kim        4m 40s  9m ago
✓ passed      4212  Fix flaky checkout spec 🎉          main            robin      4m 12s  26m ago
◫ blocked     4211  Release 2.31                        release/2.31    sam        7m 55s  60m ago
✗ failed      4210  Move session store to the new clu…  main            kim       12m 08s  2h ago
⊘ canceled    4209  wip                                 spike/wasm      robin          0s  3h ago
» skipped     4208  (no message)                        main                               Wed 14:02`.slice(
        1,
      ),
    )
  })

  it('shows whole names and branches where the message has plenty', () => {
    const long = [
      build({
        message: 'wip',
        branch: 'feature/webhook-retries',
        creator: user('tomas-lindqvist'),
      }),
    ]
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
    expect(buildList(waiting, view(100))[0]).toBe(
      'STATE        BUILD  MESSAGE  BRANCH  BY     CREATED',
    )
  })

  it('is never wider than the terminal, whatever the names are', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 })
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 200 }),
        text,
        text,
        text,
        (width, message, branch, name) => {
          const rows = [build({ message, branch, creator: user(name) }), ...sample]
          for (const line of buildList(rows, view(width))) {
            expect(cells(line)).toBeLessThanOrEqual(width)
            // What is ours: right-to-left text stands between these two.
            const bare = String(line).replace(/\u2068([^\u2068\u2069]*)\u2069/gu, '$1')
            expect(bare).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)
          }
        },
      ),
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
  const of = (path: string, file_size: number | null, state = 'finished') => {
    return { id: path.length.toString(), path, file_size, state }
  }

  it('shows readable sizes, and a state only if there is no content', () => {
    const files = [
      of('a', 0),
      of('log/a.txt', 999),
      of('dist.tar.gz', 12_345),
      of('image', 3_100_000_000),
    ]
    const table = (all: typeof files, width = 80) =>
      recordTable(all, artifactColumns, view(width)).map(String)
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
