/**
 * `npm run stress [-- --only fuzz,kill] [--minutes N] [--requests N] [--seed N]`: puts the real
 * programs under load, with limits of count and time. Each task prints its figures. A failure
 * prints the seed that repeats it, and the exit code is 1.
 */
import { parseArgs } from 'node:util'
import { press, type StressTask } from './task.js'

const tasks: Readonly<Record<string, () => Promise<StressTask>>> = {
  fuzz: async () => (await import('./fuzz.js')).run,
  parsers: async () => (await import('./parsers.js')).run,
  kill: async () => (await import('./kill.js')).run,
  replay: async () => (await import('./replay.js')).run,
  'poll-storm': async () => (await import('./poll-storm.js')).run,
  jwks: async () => (await import('./jwks.js')).run,
  chaos: async () => (await import('./chaos.js')).run,
  soak: async () => (await import('./soak.js')).run,
  cycles: async () => (await import('./cycles.js')).run,
  owners: async () => (await import('./owners.js')).run,
  growth: async () => (await import('./growth.js')).run,
  hosts: async () => (await import('./hosts.js')).run,
  downloads: async () => (await import('./downloads.js')).run,
  logins: async () => (await import('./logins.js')).run,
  signals: async () => (await import('./signals.js')).run,
  bus: async () => (await import('./bus.js')).run,
  journal: async () => (await import('./journal.js')).run,
  wide: async () => (await import('./wide.js')).run,
  prove: async () => (await import('./prove.js')).run,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(tasks).join(',') },
    minutes: { type: 'string', default: '5' },
    requests: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const names = values.only.split(',')
const minutes = Number(values.minutes)
const seed = Number(values.seed)
const requests = values.requests === undefined ? undefined : Number(values.requests)
const unknown = names.filter((name) => !Object.hasOwn(tasks, name))
if (unknown.length > 0)
  throw new TypeError(`no stress called ${unknown.join(', ')}: ${Object.keys(tasks).join(', ')}`)
for (const [name, value] of Object.entries({ minutes, seed, requests: requests ?? 1 })) {
  if (!(value > 0) && name !== 'seed') throw new TypeError(`--${name} takes a number above 0`)
}

let failed = 0
for (const name of names) {
  const task = await tasks[name]?.()
  if (task === undefined) continue
  const start = process.hrtime.bigint()
  const log = (line: string) => process.stderr.write(`  ${name}: ${line}\n`)
  const { figures, failure } = await press(task, {
    minutes: minutes / names.length,
    seed,
    requests,
    log,
  })
  const ok = failure === undefined
  const seconds = (Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)
  const text = Object.entries(figures)
    .map(
      ([what, value]) =>
        `${what} ${typeof value === 'number' ? value.toLocaleString('en') : value}`,
    )
    .join(' · ')
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(10)} ${text} · ${seconds} s`)
  if (!ok) {
    failed += 1
    console.log(`    ${failure}\n    again: npm run stress -- --only ${name} --seed ${seed}`)
  }
}
console.log(`stress: ${names.length - failed} passed, ${failed} failed (seed ${seed})`)
process.exit(failed === 0 ? 0 : 1)
