import type { LogCase } from '../../case.js'
import { boldRed, cap, green, job, random, red, repeat, stamped, text, yellow } from './filler.js'

function xcodeSteps(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(count, () => {
    const file = `${cap(r.word())}Error.swift`
    return text(
      `SwiftCompile normal arm64 /build/Shop/${file} (in target 'Shop' from project 'Shop')`,
      '    cd /build',
      `    builtin-swiftTaskExecution -- swift-frontend -frontend -c /build/Shop/${file} ` +
        '-module-name Shop -O',
    )
  })
}

export const cases: LogCase[] = [
  {
    name: 'swift-build-type',
    tool: 'swift build / swiftc',
    exit_status: 1,
    wanted:
      "Totals.swift:23:14: error: cannot convert value of type 'String' to expected " +
      "argument type 'Int'",
    log: () => {
      const r = random(171)
      return job(
        'swift build -c release',
        1,
        text(
          repeat(40, (i) => `[${i + 1}/80] Compiling Cart ${cap(r.word())}Error.swift`),
          '/build/Sources/Cart/Totals.swift:23:14: error: cannot convert value of type ' +
            "'String' to expected argument type 'Int'",
          '21 |     guard let first = lines.first else { throw CartError.empty }',
          '22 |',
          '23 |     return add(first.amount)',
          "   |                `- error: cannot convert value of type 'String' to expected " +
            "argument type 'Int'",
          repeat(
            14,
            () =>
              `/build/Sources/Cart/${cap(r.word())}.swift:${r.int(4, 90)}:9: warning: variable ` +
              `'error' was never mutated; consider changing to 'let' constant`,
          ),
          'error: fatalError',
        ),
      )
    },
  },
  {
    name: 'swift-xctest-in-the-middle',
    tool: 'swift test / XCTest',
    exit_status: 1,
    wanted: 'XCTAssertEqual failed: ("1199") is not equal to ("1200")',
    log: () => {
      const r = random(172)
      const ok = (count: number) =>
        repeat(count, () => {
          const name = `CartTests.test${cap(r.word())}ThrowsError`
          return (
            `Test Case '${name}' started at 2026-03-04 09:12:07.114\nTest Case '${name}' passed ` +
            `(0.00${r.int(1, 9)} seconds)`
          )
        })
      return job(
        'swift test',
        1,
        text(
          "Test Suite 'All tests' started at 2026-03-04 09:12:07.112",
          ok(50),
          "Test Case 'CartTests.testTotal' started at 2026-03-04 09:12:08.003",
          '/build/Tests/CartTests/CartTests.swift:41: error: CartTests.testTotal : ' +
            'XCTAssertEqual failed: ("1199") is not equal to ("1200")',
          "Test Case 'CartTests.testTotal' failed (0.004 seconds)",
          ok(60),
          "Test Suite 'All tests' failed at 2026-03-04 09:12:09.412",
          '\t Executed 111 tests, with 1 failure (0 unexpected) in 2.104 (2.3) seconds',
        ),
      )
    },
  },
  {
    name: 'xcodebuild-missing-member',
    tool: 'xcodebuild',
    exit_status: 65,
    wanted: "CheckoutView.swift:88:31: error: value of type 'Basket' has no member 'discount'",
    log: () =>
      job(
        'xcodebuild -scheme Shop build',
        65,
        text(
          xcodeSteps(30, 173),
          "/build/Shop/CheckoutView.swift:88:31: error: value of type 'Basket' has no member " +
            "'discount'",
          '            Text(basket.discount)',
          '                 ~~~~~~ ^~~~~~~~',
          xcodeSteps(34, 174),
          '',
          boldRed('** BUILD FAILED **'),
          '',
          '',
          'The following build commands failed:',
          "\tSwiftCompile normal arm64 /build/Shop/CheckoutView.swift (in target 'Shop' from " +
            "project 'Shop')",
          '(1 failure)',
        ),
      ),
  },
  {
    name: 'xcodebuild-no-profile',
    tool: 'xcodebuild archive',
    exit_status: 65,
    wanted: "error: No profiles for 'com.example.shop' were found",
    log: () =>
      job(
        'xcodebuild -scheme Shop archive',
        65,
        text(
          'note: Using codesigning identity override: Apple Development',
          "/build/Shop.xcodeproj: error: No profiles for 'com.example.shop' were found: Xcode " +
            "couldn't find any iOS App " +
            "Development provisioning profiles matching 'com.example.shop'. (in target 'Shop' " +
            "from project 'Shop')",
          '',
          boldRed('** ARCHIVE FAILED **'),
          '',
        ),
      ),
  },
  {
    name: 'fastlane-invalid-key',
    tool: 'fastlane',
    exit_status: 1,
    wanted: 'Authentication credentials are missing or invalid. - The key 4F7K2 has expired',
    log: () => {
      const r = random(175)
      const row = (n: number, name: string) =>
        `| ${String(n).padEnd(4)} | ${name.padEnd(34)} | ${r.int(0, 200).toString().padEnd(11)} |`
      return stamped(
        text(
          repeat(
            26,
            () => `${green('Successfully')} loaded '/build/fastlane/${cap(r.word())}Error' 📄`,
          ),
          '------------------------------',
          green('--- Step: upload_to_testflight ---'),
          '------------------------------',
          yellow("Login to the store ('ci@example.com')"),
          red('Authentication credentials are missing or invalid. - The key 4F7K2 has expired'),
          red('Called from Fastfile at line 41'),
          red('```'),
          red("    40:\t  build_app(scheme: 'Shop')"),
          red('    41:\t  upload_to_testflight(skip_waiting: true)'),
          red('```'),
          '',
          '+------+------------------------------------+-------------+',
          '|                     fastlane summary                    |',
          '+------+------------------------------------+-------------+',
          '| Step | Action                             | Time (in s) |',
          repeat(52, (i) => row(i + 1, `${r.word()}_error_check`)),
          red('| 💥   | upload_to_testflight               | 4           |'),
          '+------+------------------------------------+-------------+',
          '',
          red('fastlane finished with errors'),
        ),
        176,
        'clock',
      )
    },
  },
]
