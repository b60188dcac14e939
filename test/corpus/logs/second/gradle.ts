import type { LogCase } from '../../case.js'
import { block, cap, job, random, repeat, stamped, text } from './filler.js'

function frames(count: number, seed: number, root: string): string[] {
  const r = random(seed)
  return repeat(count, () => {
    const name = cap(r.word()) + r.pick(['Error', 'Task', 'Action', 'Executor'])
    return `\tat ${root}.${r.word()}.${name}.run(${name}.java:${r.int(20, 400)})`
  })
}

function tasks(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(count, () => {
    const task = r.pick(['compileJava', 'processResources', 'classes', 'jar', 'test', 'check'])
    return `> Task :${r.word()}:${task}${r.pick(['', ' UP-TO-DATE', ' NO-SOURCE', ' FROM-CACHE'])}`
  })
}

export const cases: LogCase[] = [
  {
    name: 'gradle-continue-test-failure',
    tool: 'gradle test --continue',
    exit_status: 1,
    wanted: 'org.opentest4j.AssertionFailedError: expected: <409> but was: <500>',
    log: () =>
      job(
        './gradlew check --continue',
        1,
        text(
          tasks(60, 46),
          '',
          '> Task :orders:test',
          '',
          'OrderErrorTest > throwsExceptionForUnknownOrder() PASSED',
          '',
          'OrderTest > rejectsEmptyBasket() FAILED',
          '    org.opentest4j.AssertionFailedError: expected: <409> but was: <500>',
          '        at app//org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)',
          '        at app//com.example.orders.OrderTest.rejectsEmptyBasket(OrderTest.java:52)',
          '',
          '96 tests completed, 1 failed',
          '',
          '> Task :orders:test FAILED',
          tasks(130, 47),
          block(`

            FAILURE: Build failed with an exception.

            * What went wrong:
            Execution failed for task ':orders:test'.
            > There were failing tests. See the report at: \\
            file:///build/orders/build/reports/tests/test/index.html

            * Try:
            > Run with --scan to get full insights.

            BUILD FAILED in 2m 41s
            212 actionable tasks: 190 executed, 22 from cache
          `),
        ),
      ),
  },
  {
    name: 'kotlin-unresolved-reference',
    tool: 'gradle / kotlinc',
    exit_status: 1,
    wanted: "Checkout.kt:41:23 Unresolved reference 'discount'",
    log: () => {
      const r = random(48)
      const w = repeat(
        25,
        () =>
          `w: file:///build/src/main/kotlin/shop/${cap(r.word())}.kt:${r.int(5, 90)}:7 'fun ` +
          `lastError(): Int' is deprecated.`,
      )
      return stamped(
        text(
          tasks(20, 49),
          '> Task :compileKotlin FAILED',
          'e: file:///build/src/main/kotlin/shop/Checkout.kt:41:23 Unresolved reference ' +
            "'discount'.",
          w,
          block(`

            FAILURE: Build failed with an exception.

            * What went wrong:
            Execution failed for task ':compileKotlin'.
            > A failure occurred while executing \\
            org.jetbrains.kotlin.compilerRunner.GradleWorkAction
               > Compilation error. See log for more details

            BUILD FAILED in 31s
          `),
        ),
        50,
        'iso',
      )
    },
  },
  {
    name: 'gradle-repository-unauthorized',
    tool: 'gradle',
    exit_status: 1,
    wanted: 'Received status code 401 from server: Unauthorized',
    log: () =>
      job(
        './gradlew assemble',
        1,
        text(
          'Starting a Gradle Daemon (subsequent builds will be faster)',
          tasks(8, 51),
          block(`

            FAILURE: Build failed with an exception.

            * What went wrong:
            Execution failed for task ':compileJava'.
            > Could not resolve all files for configuration ':compileClasspath'.
               > Could not resolve com.example:ledger-client:4.2.0.
                 Required by:
                     project :
                  > Could not resolve com.example:ledger-client:4.2.0.
                     > Could not get resource 'https://maven.example.com/ledger-client-4.2.0.pom'.
                        > Could not GET 'https://maven.example.com/ledger-client-4.2.0.pom'. \\
            Received status code 401 from server: Unauthorized

            * Try:
            > Run with --stacktrace option to get the stack trace.
            > Run with --info or --debug option to get more log output.

            BUILD FAILED in 9s
          `),
        ),
      ),
  },
  {
    name: 'java-heap-space-in-middle',
    tool: 'java, out of memory',
    exit_status: 1,
    wanted: 'java.lang.OutOfMemoryError: Java heap space',
    log: () =>
      job(
        './gradlew :report:generate --stacktrace',
        1,
        text(
          tasks(24, 55),
          '> Task :report:generate',
          'Exception in thread "report-writer-3" java.lang.OutOfMemoryError: Java heap space',
          frames(40, 56, 'com.example.report'),
          '> Task :report:generate FAILED',
          '',
          'FAILURE: Build failed with an exception.',
          '',
          '* What went wrong:',
          "Execution failed for task ':report:generate'.",
          "> Process 'command '/opt/jdk/bin/java'' finished with non-zero exit value 3",
          '',
          '* Exception is:',
          'org.gradle.api.tasks.TaskExecutionException: Execution failed for task ' +
            "':report:generate'.",
          frames(90, 57, 'org.gradle.internal'),
          '',
          'BUILD FAILED in 4m 2s',
        ),
      ),
  },
]
