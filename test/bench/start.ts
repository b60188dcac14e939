import { fileURLToPath } from 'node:url'
import { runProgram } from '../support/run-program.js'
import { alone, atMost, type Benchmark, type BenchmarkRow, interleave, median } from './measure.js'
import { startProgram } from './process.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ci = `${root}cli/bin/run.js`

/** Runs a program from the root of the project, where the packages are found. */
async function run(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout.trim()
}

const script = (text: string): readonly string[] => ['--input-type=module', '--eval', text]

const ready = (seed: string): string =>
  `import { createMockServer } from '@buildwire/mock-server'
  await createMockServer({ seed: ${seed} }).ready()`

const small = `{ version: 1, users: [{ email: 'robin@acme.example' }], organizations: [{ slug: 'acme',
  pipelines: [{ slug: 'web', steps: [{ command: 'make' }], builds: [{ state: 'passed' }, {}] }] }] }`

/** The time of a second demo server in one process, in ms. */
const second = `import { createMockServer } from '@buildwire/mock-server'
  await createMockServer({ seed: 'demo' }).ready()
  const before = performance.now()
  await createMockServer({ seed: 'demo' }).ready()
  console.log(performance.now() - before)`

const processes: Benchmark = async ({ rounds }) => {
  const readyMs: number[] = []
  const taken = await interleave(Math.max(rounds, 9), {
    nothing: () => run(['--eval', '0']),
    demo: () => run(script(ready(`'demo'`))),
    small: () => run(script(ready(small))),
    sdk: () => run(script(`import '@buildwire/sdk'`)),
    start: async () => {
      const program = await startProgram(['--seed', 'empty'])
      readyMs.push(program.readyMs)
      await program.stop()
    },
    exec: () => run([ci, 'server', 'exec', '--', process.execPath, ci, 'builds', 'list']),
  })
  const row = (what: string, ours: number, most: number): BenchmarkRow =>
    atMost({ area: 'start', what, against: 'node -e 0' }, { ours, theirs: taken.nothing }, most)
  return [
    row('createMockServer, seed demo, ready', taken.demo, 4.5),
    row('createMockServer, small seed, ready', taken.small, 2.5),
    row('ci-mock-server start, ready, no builds', median(readyMs.slice(1)), 3),
    row("import '@buildwire/sdk'", taken.sdk, 1.6),
    row('ci server exec -- ci builds list', taken.exec, 9),
  ]
}

const secondServer: Benchmark = async ({ rounds }) => {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(Number(await run(script(second))))
  return [alone('start', 'a second demo server in a process', 'ms', median(taken), 60)]
}

export const benchmarks = { processes, secondServer }
