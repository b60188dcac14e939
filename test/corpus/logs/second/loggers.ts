import type { LogCase } from '../../case.js'
import { job, random, repeat, stamped, text } from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'pino-fatal-before-shutdown',
    tool: 'pino (JSON lines)',
    exit_status: 1,
    wanted: '"msg":"cannot read the signing key: PEM routines: bad end line"',
    log: () => {
      const r = random(261)
      let time = 1_772_615_527_114
      const tick = () => {
        time += r.int(0, 90)
        return time
      }
      const line = (level: number, rest: string) =>
        `{"level":${level},"time":${tick()},"pid":41,"hostname":"api.test",${rest}}`
      const usual = (count: number) =>
        repeat(count, () =>
          line(30, `"errors":0,"error":null,"msg":"registered error handler for ${r.word()}"`),
        )
      return job(
        'node dist/server.js --smoke',
        1,
        text(
          usual(60),
          line(50, '"msg":"rate service failed, taking the stored rates","retryable":true'),
          line(
            60,
            '"err":{"type":"Error","code":"ERR_OSSL_PEM_BAD_END_LINE"},"msg":"cannot read the ' +
              'signing key: PEM routines: bad end line"',
          ),
          repeat(80, () => line(30, `"failed":false,"msg":"closed pool ${r.word()}"`)),
        ),
      )
    },
  },
  {
    name: 'zap-fatal-configuration',
    tool: 'zap (JSON lines)',
    exit_status: 1,
    wanted: '"msg":"configuration refused: tariff.currency must be one of CHF, EUR, USD"',
    log: () => {
      const r = random(262)
      let time = 1_772_615_527
      const tick = () => {
        time += r.int(0, 1)
        return time
      }
      const line = (level: string, rest: string) =>
        `{"level":"${level}","ts":${tick()}.${r.int(100, 999)},"caller":"${r.word()}/errors.go:${r.int(9, 200)}",${rest}}`
      return stamped(
        text(
          repeat(40, () => line('info', `"msg":"loaded ${r.word()}","failures":0`)),
          line(
            'fatal',
            '"msg":"configuration refused: tariff.currency must be one of CHF, EUR, ' +
              'USD","stacktrace":"main.main\\n\\t/build/main.go:41"',
          ),
        ),
        263,
        'iso',
      )
    },
  },
  {
    name: 'logfmt-migration-lock',
    tool: 'logfmt',
    exit_status: 1,
    wanted: 'msg="migration lock is held by worker-7 since 2026-03-01"',
    log: () => {
      const r = random(264)
      let time = Date.UTC(2026, 2, 4, 9, 12, 7)
      const tick = () => {
        time += r.int(0, 400)
        return time
      }
      const at = () => `ts=${new Date(tick()).toISOString()}`
      return job(
        './shop migrate --log-format logfmt',
        1,
        text(
          repeat(
            30,
            () => `${at()} level=info component=errors msg="table ${r.word()}_errors is current"`,
          ),
          `${at()} level=error component=migrate msg="migration lock is held by worker-7 ` +
            'since 2026-03-01"',
          repeat(
            75,
            () =>
              `${at()} level=${r.pick(['info', 'debug'])} component=pool msg="connection ` +
              `${r.hex(4)} closed" error=nil`,
          ),
        ),
      )
    },
  },
  {
    name: 'batch-import-one-record',
    tool: 'JSON lines (import job)',
    exit_status: 4,
    wanted: "row 2113: the amount '12,5O' is no number",
    log: () => {
      const r = random(265)
      const line = (severity: string, message: string) =>
        `{"severity":"${severity}","message":"${message}","logger":"import.ErrorReport"}`
      return job(
        './shop import --strict customers.csv',
        4,
        text(
          repeat(300, (i) => line('INFO', `row ${i * 7}: ${r.word()} imported, failed so far: 0`)),
          line('ERROR', "row 2113: the amount '12,5O' is no number"),
          repeat(100, () =>
            line('WARNING', `row ${r.int(3000, 9000)}: skipped, an earlier error stops the import`),
          ),
        ),
      )
    },
  },
  {
    name: 'latex-undefined-command',
    tool: 'latexmk',
    exit_status: 12,
    wanted: '! Undefined control sequence.',
    log: () => {
      const r = random(266)
      return job(
        'latexmk -pdf -interaction=nonstopmode manual.tex',
        12,
        text(
          repeat(
            30,
            () =>
              `(/usr/share/texlive/texmf-dist/tex/latex/${r.word()}/errorhandling-${r.word()}.sty)`,
          ),
          '! Undefined control sequence.',
          'l.412   The price is \\amountt',
          '                             {18.00} with tax.',
          repeat(
            70,
            () =>
              `Overfull \\hbox (${r.int(1, 40)}.${r.int(100, 999)}pt too wide) in paragraph at ` +
              `lines ${r.int(400, 700)}--${r.int(701, 900)}`,
          ),
          'Output written on manual.pdf (141 pages, 912034 bytes).',
          'Latexmk: Errors, so I did not complete making targets',
        ),
      )
    },
  },
]
