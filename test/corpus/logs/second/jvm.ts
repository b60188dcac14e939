import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldBlue,
  boldRed,
  boldYellow,
  cap,
  ESC,
  job,
  random,
  repeat,
  text,
} from './filler.js'

const info = (rest: string) => `[${boldBlue('INFO')}] ${rest}`
const error = (rest: string) => `[${boldRed('ERROR')}] ${rest}`

function modules(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(count, (i) => `shop-${r.word()}-${i}`)
}

function reactor(names: readonly string[], failed: number): string[] {
  return [
    info(bold('Reactor Summary for shop-parent 4.1.0-SNAPSHOT:')),
    info(''),
    ...names.map((name, i) => {
      const state =
        i < failed ? `${ESC}[1;32mSUCCESS${ESC}[m [  ${i % 7}.${i}04 s]` : boldYellow('SKIPPED')
      return info(
        `${name} ${'.'.repeat(46 - name.length)} ${i === failed ? boldRed('FAILURE') : state}`,
      )
    }),
    info(bold('------------------------------------------------------------------------')),
    info(boldRed('BUILD FAILURE')),
    info(bold('------------------------------------------------------------------------')),
    info('Total time:  03:41 min'),
    info('Finished at: 2026-03-04T09:15:48Z'),
  ]
}

const advice = block(`
  [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
  [ERROR] Re-run Maven using the -X switch to enable full debug logging.
  [ERROR] 
  [ERROR] For more information about the errors and possible solutions, please read the articles:
  [ERROR] [Help 1] http://maven.example.org/MojoFailureException
`)

function frames(count: number, seed: number, root: string): string[] {
  const r = random(seed)
  return repeat(count, () => {
    const name = cap(r.word()) + r.pick(['Error', 'Task', 'Action', 'Executor'])
    return `\tat ${root}.${r.word()}.${name}.run(${name}.java:${r.int(20, 400)})`
  })
}

export const cases: LogCase[] = [
  {
    name: 'maven-cannot-find-symbol',
    tool: 'maven / javac',
    exit_status: 1,
    wanted: 'OrderService.java:[57,32] cannot find symbol',
    log: () => {
      const file = '/build/orders/src/main/java/com/example/orders/OrderService.java'
      return job(
        './mvnw -B verify',
        1,
        text(
          modules(30, 41).map((name) => info(`Building ${name} 4.1.0-SNAPSHOT`)),
          info('Compiling 212 source files with javac [debug release 21] to target/classes'),
          info('-------------------------------------------------------------'),
          error('COMPILATION ERROR : '),
          info('-------------------------------------------------------------'),
          error(`${file}:[57,32] cannot find symbol`),
          '  symbol:   method errorTotal()',
          '  location: variable basket of type com.example.orders.Basket',
          info('1 error'),
          reactor(modules(12, 42), 7),
          error(
            'Failed to execute goal ' +
              `${bold('org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile')} ` +
              `(default-compile) on project shop-orders: ${boldRed('Compilation failure')}`,
          ),
          error(`${boldRed(`${file}:[57,32] cannot find symbol`)}`),
          error(boldRed('  symbol:   method errorTotal()')),
          error(boldRed('  location: variable basket of type com.example.orders.Basket')),
          advice,
        ),
      )
    },
  },
  {
    name: 'maven-surefire-before-long-reactor',
    tool: 'maven surefire',
    exit_status: 1,
    wanted: 'expected: <19.00> but was: <18.99>',
    log: () => {
      const r = random(43)
      const passed = repeat(40, () => {
        const name = `com.example.billing.${cap(r.word())}ErrorTest`
        return info(
          `Tests run: ${r.int(2, 30)}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.2 ` +
            `s -- in ${name}`,
        )
      })
      return job(
        './mvnw -B -fae verify',
        1,
        text(
          passed,
          error(
            'Tests run: 14, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.41 s <<< ' +
              'FAILURE! -- in com.example.billing.InvoiceTotalsTest',
          ),
          error(
            'com.example.billing.InvoiceTotalsTest.roundsVat -- Time elapsed: 0.012 s <<< FAILURE!',
          ),
          'org.opentest4j.AssertionFailedError: expected: <19.00> but was: <18.99>',
          frames(6, 44, 'org.junit.jupiter.api'),
          '\tat com.example.billing.InvoiceTotalsTest.roundsVat(InvoiceTotalsTest.java:74)',
          '',
          passed.slice(0, 12),
          info(''),
          info('Results:'),
          info(''),
          error(boldRed('Failures: ')),
          error(boldRed('  InvoiceTotalsTest.roundsVat:74 expected: <19.00> but was: <18.99>')),
          info(''),
          error(boldRed('Tests run: 512, Failures: 1, Errors: 0, Skipped: 3')),
          reactor(modules(71, 45), 30),
          error(
            'Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test ' +
              '(default-test) on project shop-billing: There are test failures.',
          ),
          error(''),
          error(
            'Please refer to /build/billing/target/surefire-reports for the individual test ' +
              'results.',
          ),
          advice,
        ),
      )
    },
  },
  {
    name: 'junit-console-tree',
    tool: 'junit console',
    exit_status: 1,
    wanted: '=> java.lang.IllegalStateException: no exchange rate for CHF',
    log: () => {
      const r = random(52)
      return text(
        `${ESC}[36m.${ESC}[0m`,
        repeat(
          70,
          () =>
            `${ESC}[36m|  +--${ESC}[0m ${ESC}[34mthrowsExceptionOn${cap(r.word())}()${ESC}[0m ` +
            `${ESC}[32m[OK]${ESC}[0m`,
        ),
        `${ESC}[36m|  +--${ESC}[0m ${ESC}[31mconvertsFrancs()${ESC}[0m ` +
          `${ESC}[31m[X]${ESC}[0m ${ESC}[31mno exchange rate for CHF${ESC}[0m`,
        repeat(
          20,
          () =>
            `${ESC}[36m|  +--${ESC}[0m ${ESC}[34mfailsWithout${cap(r.word())}()${ESC}[0m ` +
            `${ESC}[32m[OK]${ESC}[0m`,
        ),
        '',
        'Failures (1):',
        '  JUnit Jupiter:RateTest:convertsFrancs()',
        "    MethodSource [className = 'com.example.RateTest', methodName = " +
          "'convertsFrancs', methodParameterTypes = '']",
        '    => java.lang.IllegalStateException: no exchange rate for CHF',
        frames(8, 53, 'com.example').map((row) => row.replace('\tat', '      ')),
        '',
        'Test run finished after 812 ms',
        '[        91 tests found           ]',
        '[        90 tests successful      ]',
        '[         1 tests failed          ]',
      )
    },
  },
  {
    name: 'spring-bean-missing',
    tool: 'spring boot',
    exit_status: 1,
    wanted: "required a bean of type 'com.example.billing.RateClient' that could not be found",
    log: () =>
      job(
        'java -jar app.jar --migrate-only',
        1,
        text(
          repeat(
            40,
            (i) =>
              `2026-03-04T09:12:${10 + i}.114Z  INFO 71 --- [           main] ` +
              `c.e.s.${cap(random(i).word())}ErrorHandler : registered`,
          ),
          '2026-03-04T09:12:51.020Z  WARN 71 --- [           main] ' +
            'ConfigServletWebServerApplicationContext : Exception encountered during context ' +
            'initialization - cancelling refresh attempt',
          '2026-03-04T09:12:51.311Z ERROR 71 --- [           main] ' +
            'o.s.b.d.LoggingFailureAnalysisReporter   : ',
          block(`

            ***************************
            APPLICATION FAILED TO START
            ***************************

            Description:

            Parameter 0 of constructor in com.example.billing.InvoiceService required a bean of \\
            type \\
            'com.example.billing.RateClient' that could not be found.


            Action:

            Consider defining a bean of type 'com.example.billing.RateClient' in your configuration.

          `),
        ),
      ),
  },
  {
    name: 'sbt-type-mismatch',
    tool: 'sbt / scalac',
    exit_status: 1,
    wanted: 'Parser.scala:33:18: type mismatch',
    log: () => {
      const r = random(54)
      const tag = (level: string, colour: string) =>
        `[${ESC}[0m${ESC}[${colour}m${level}${ESC}[0m] ${ESC}[0m`
      return job(
        'sbt -Dsbt.color=true test',
        1,
        text(
          repeat(
            30,
            () =>
              `${tag('info', '0')}compiling ${r.int(2, 30)} Scala sources to ` +
              `/build/${r.word()}/target ...`,
          ),
          `${tag('error', '31')}/build/core/src/main/scala/shop/Parser.scala:33:18: type mismatch;`,
          `${tag('error', '31')} found   : String("error")`,
          `${tag('error', '31')} required: shop.Token`,
          `${tag('error', '31')}    emit("error")`,
          `${tag('error', '31')}         ^`,
          repeat(
            60,
            () =>
              `${tag('warn', '33')}/build/${r.word()}/${cap(r.word())}.scala:${r.int(4, 90)}:5: ` +
              'method fail in class Errors is deprecated',
          ),
          `${tag('error', '31')}one error found`,
          `${tag('error', '31')}(core / Compile / ${ESC}[31mcompileIncremental${ESC}[0m) ` +
            'Compilation failed',
          `${tag('error', '31')}Total time: 41 s, completed Mar 4, 2026, 9:14:02 AM`,
        ),
      )
    },
  },
]
