/** Makes the parts of a log that carry no meaning: progress, clean-up, lists, the agent's frame. */

export const ESC = '\u001b'

const paint = (on: string) => (text: string) => `${ESC}[${on}m${text}${ESC}[0m`

export const red = paint('31')
export const green = paint('32')
export const yellow = paint('33')
export const magenta = paint('35')
export const cyan = paint('36')
export const gray = paint('90')
export const bold = paint('1')
export const dim = paint('2')
export const boldRed = paint('1;31')
export const boldYellow = paint('1;33')
export const boldBlue = paint('1;34')

const WORDS = (
  'account address amount archive backup badge basket batch billing bucket cache ' +
  'calendar carrier ' +
  'catalog channel charge chart client codec colour comment config contact counter country ' +
  'coupon currency customer delivery digest discount document event export feed field filter ' +
  'gateway header image import index invoice item journal label layout ledger listing locale ' +
  'mailer market member menu message metric notice offer order packet parcel payment picker ' +
  'policy price product profile queue quota rate receipt refund region report review route ' +
  'schedule search shipment signal stock storage style supplier table tariff template ticket ' +
  'timer token tracker upload user vendor voucher wallet warehouse widget window worker zone'
).split(' ')

export interface Random {
  /** A whole number from low to high, both included. */
  int: (low: number, high: number) => number
  pick: (list: readonly string[]) => string
  word: () => string
  hex: (length: number) => string
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = (list: readonly string[]) => list[int(0, list.length - 1)] ?? ''
  return {
    int,
    pick,
    word: () => pick(WORDS),
    hex: (length) => Array.from({ length }, () => int(0, 15).toString(16)).join(''),
  }
}

export function repeat(count: number, make: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** The rows of a template without its indentation; a row that ends in a backslash goes on. */
export function block(template: string): string[] {
  const rows = template.split('\n')
  if (rows[0]?.trim() === '') rows.shift()
  if (rows.at(-1)?.trim() === '') rows.pop()
  const filled = rows.filter((row) => row.trim() !== '')
  const depth = Math.min(...filled.map((row) => row.length - row.trimStart().length))
  const out: string[] = []
  let open = false
  for (const row of rows) {
    const rest: string = open ? row.trimStart() : row.slice(depth)
    const goesOn: boolean = rest.endsWith('\\')
    const part = goesOn ? rest.slice(0, -1) : rest
    if (open) out.push((out.pop() ?? '') + part)
    else out.push(part)
    open = goesOn
  }
  return out
}

export function cap(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function text(...parts: (string | readonly string[])[]): string {
  return `${parts.flat().join('\n')}\n`
}

/** The same log as a pseudo-terminal writes it. */
export function terminal(log: string): string {
  return log.replaceAll('\n', '\r\n')
}

/** Puts a time in front of each line, as runners with a clock do. */
export function stamped(log: string, seed: number, form: 'iso' | 'clock' | 'agent'): string {
  const r = random(seed)
  let now = Date.UTC(2026, 2, 4, 9, 12, 7) + r.int(0, 86_400_000)
  const rows = log.endsWith('\n') ? log.slice(0, -1).split('\n') : log.split('\n')
  const out = rows.map((row) => {
    now += r.int(0, 900)
    const iso = new Date(now).toISOString()
    if (form === 'agent') return `${ESC}_bk;t=${now}\u0007${row}`
    if (form === 'clock') return `[${iso.slice(11, 19)}] ${row}`
    return `${iso.slice(0, 23)}${r.int(1000, 9999)}Z ${row}`
  })
  return `${out.join('\n')}\n`
}

const SUBJECTS = [
  'Say which field failed in the error page',
  'Round totals once',
  'Fix the fatal error in the export of receipts',
  'Read the tariff from the catalog',
  'Retry when the carrier answers with an error',
  'Show failed payments in the journal',
]

/** The agent's frame around what a job's command wrote. */
export function job(
  command: string,
  status: number | null,
  body: string,
  after: readonly string[] = [],
): string {
  const r = random(command.length * 7919 + body.length)
  const commit = r.hex(40)
  const subject = r.pick(SUBJECTS)
  const end =
    status === null
      ? []
      : [
          `${ESC}[31m🚨 Error: The command exited with status ${status}${ESC}[0m`,
          `user command error: exit status ${status}`,
        ]
  return text(
    block(`
      ~~~ Running agent environment hook
      ${ESC}[90m$${ESC}[0m /etc/agent/hooks/environment
      ~~~ Preparing working directory
      ${ESC}[90m$${ESC}[0m cd /var/lib/agent/builds/ci-${r.int(1, 40)}/shop
      ${ESC}[90m$${ESC}[0m git clean -ffxdq
      ${ESC}[90m$${ESC}[0m git fetch -v --prune -- origin ${commit}
      From https://git.example.com/shop/shop
       * branch            ${commit} -> FETCH_HEAD
      ${ESC}[90m$${ESC}[0m git checkout -f ${commit}
      HEAD is now at ${commit.slice(0, 9)} ${subject}
      ~~~ Running commands
      ${ESC}[90m$${ESC}[0m ${command}
    `),
    body.endsWith('\n') ? body.slice(0, -1) : body,
    end,
    after,
    '~~~ Running global pre-exit hook',
    `${ESC}[90m$${ESC}[0m /etc/agent/hooks/pre-exit`,
  )
}

/** What `docker compose down` writes when a job clears up behind itself. */
export function composeDown(names: readonly string[]): string[] {
  return [
    ...names.map((name) => ` Container shop-${name}-1  Stopping`),
    ...names.flatMap((name) => [
      ` Container shop-${name}-1  Stopped`,
      ` Container shop-${name}-1  Removing`,
      ` Container shop-${name}-1  Removed`,
    ]),
    ' Network shop_default  Removing',
    ' Network shop_default  Removed',
  ]
}

/** What `rm -rv` writes. */
export function removed(count: number, seed: number, root: string): string[] {
  const r = random(seed)
  return repeat(
    count,
    () => `removed '${root}/${r.word()}/${r.word()}-${r.hex(6)}.${r.pick(['tmp', 'o', 'log'])}'`,
  )
}
