import type { LogCase } from '../../case.js'
import { block, bold, boldRed, cap, ESC, job, random, repeat, text, yellow } from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'android-resource-missing-with-stacktrace',
    tool: 'android gradle / aapt',
    exit_status: 1,
    wanted:
      'AAPT: error: resource string/checkout_title (aka ' +
      'com.example.shop:string/checkout_title) not found',
    log: () => {
      const r = random(177)
      const frames = (count: number) =>
        repeat(
          count,
          () =>
            `\tat org.gradle.${r.word()}.${cap(r.word())}Failure.${r.word()}(${cap(r.word())}Failure.java:${r.int(9, 400)})`,
        )
      return job(
        './gradlew :app:assembleRelease --stacktrace',
        1,
        text(
          repeat(
            50,
            () =>
              `> Task :${r.word()}:${r.pick(['preReleaseBuild', 'mergeReleaseResources', 'parseReleaseErrors'])} ` +
              'UP-TO-DATE',
          ),
          '> Task :app:processReleaseResources FAILED',
          '',
          'FAILURE: Build failed with an exception.',
          '',
          '* What went wrong:',
          "Execution failed for task ':app:processReleaseResources'.",
          '> A failure occurred while executing ' +
            'com.android.build.gradle.internal.res.LinkApplicationAction',
          '   > Android resource linking failed',
          '     com.example.shop.app-main-41:/layout/checkout.xml:12: AAPT: error: resource ' +
            'string/checkout_title (aka com.example.shop:string/checkout_title) not found.',
          '',
          '* Exception is:',
          'org.gradle.api.tasks.TaskExecutionException: Execution failed for task ' +
            "':app:processReleaseResources'.",
          frames(80),
          'Caused by: org.gradle.workers.internal.DefaultWorkerExecutor$WorkExecutionException: ' +
            'A failure occurred',
          frames(60),
          '\t... 41 more',
          '',
          'BUILD FAILED in 51s',
        ),
      )
    },
  },
  {
    name: 'flutter-widget-not-found',
    tool: 'flutter test',
    exit_status: 1,
    wanted: 'Actual: _TextWidgetFinder:<Found 0 widgets with text "Pay now": []>',
    log: () => {
      const r = random(178)
      const tick = (pass: number, fail: number) =>
        `\r${ESC}[K00:${String(10 + (pass % 50))} ` +
        `${ESC}[32m+${pass}${ESC}[0m${fail > 0 ? ` ${ESC}[31m-${fail}${ESC}[0m` : ''}: ` +
        `/build/test/${r.word()}_test.dart: shows error for ${r.word()}`
      return job(
        'flutter test',
        1,
        text(
          repeat(40, (i) => tick(i, 0)).join(''),
          '══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ' +
            '╞════════════════════════════════════════════════════',
          'The following TestFailure was thrown running a test:',
          'Expected: exactly one matching candidate',
          '  Actual: _TextWidgetFinder:<Found 0 widgets with text "Pay now": []>',
          '   Which: means none were found but one was expected',
          '',
          'When the exception was thrown, this was the stack:',
          repeat(
            12,
            (i) =>
              `#${i}      ${r.word()} ` +
              `(package:flutter_test/src/${r.word()}.dart:${r.int(20, 900)}:5)`,
          ),
          '(elided one frame from package:stack_trace)',
          '',
          'The test description was:',
          '  offers to pay',
          '════════════════════════════════════════════════════════════════════════════════════════════════════',
          repeat(90, (i) => tick(41 + i, 1)),
          `${ESC}[31mSome tests failed.${ESC}[0m`,
        ),
      )
    },
  },
  {
    name: 'dart-analyze-undefined-getter',
    tool: 'dart analyze',
    exit_status: 3,
    wanted: "The getter 'totl' isn't defined for the type 'Cart'",
    log: () => {
      const r = random(179)
      return text(
        'Analyzing shop...                      ',
        '',
        `  ${boldRed('error')} - ${bold('lib/src/view.dart:41:12')} - The getter 'totl' ` +
          `isn't defined for the type 'Cart'. Try ` +
          "importing the library that defines 'totl'. - undefined_getter",
        repeat(
          34,
          () =>
            `${yellow('warning')} - lib/src/${r.word()}.dart:${r.int(4, 90)}:7 - The value of ` +
            `the local variable 'error' isn't used. - unused_local_variable`,
        ),
        repeat(
          41,
          () =>
            `   info - lib/src/${r.word()}.dart:${r.int(4, 90)}:1 - Missing documentation for a ` +
            'public member. - public_member_api_docs',
        ),
        '',
        '76 issues found.',
      )
    },
  },
  {
    name: 'android-signing-key',
    tool: 'android gradle (signing)',
    exit_status: 1,
    wanted:
      'Failed to read key upload from store "/build/upload.jks": keystore password was incorrect',
    log: () =>
      job(
        './gradlew bundleRelease',
        1,
        text(
          block(`
            > Task :app:signReleaseBundle FAILED

            FAILURE: Build failed with an exception.

            * What went wrong:
            Execution failed for task ':app:signReleaseBundle'.
            > A failure occurred while executing com.android.build.gradle.internal.tasks.SignBundle
               > com.android.ide.common.signing.KeytoolException: Failed to read key upload from \\
               store \\
            "/build/upload.jks": keystore password was incorrect

            * Try:
            > Run with --stacktrace option to get the stack trace.

            BUILD FAILED in 2m 4s
            141 actionable tasks: 141 executed
          `),
        ),
      ),
  },
]
