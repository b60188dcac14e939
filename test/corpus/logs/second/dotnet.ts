import type { LogCase } from '../../case.js'
import { block, ESC, job, random, repeat, text } from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'csharp-missing-definition',
    tool: 'dotnet build',
    exit_status: 1,
    wanted: "error CS1061: 'Cart' does not contain a definition for 'Totl'",
    log: () => {
      const r = random(61)
      const file = () => `/build/src/Shop.Api/${r.word()}.cs(${r.int(9, 200)},${r.int(5, 60)})`
      const warnings = repeat(
        90,
        () =>
          `${file()}: warning CS8618: Non-nullable property 'Error' must contain a non-null ` +
          'value [/build/src/Shop.Api/Shop.Api.csproj]',
      )
      const error =
        "/build/src/Shop.Api/CartController.cs(52,27): error CS1061: 'Cart' does not " +
        "contain a definition for 'Totl' " +
        "and no accessible extension method 'Totl' accepting a first argument of type " +
        "'Cart' could be found " +
        '[/build/src/Shop.Api/Shop.Api.csproj]'
      return job(
        'dotnet build -c Release',
        1,
        text(
          '  Determining projects to restore...',
          '  All projects are up-to-date for restore.',
          warnings.slice(0, 40),
          error,
          warnings.slice(40),
          '',
          'Build FAILED.',
          '',
          warnings,
          error,
          '    90 Warning(s)',
          '    1 Error(s)',
          '',
          'Time Elapsed 00:00:31.80',
        ),
      )
    },
  },
  {
    name: 'xunit-failure-before-coverage',
    tool: 'dotnet test / xunit / coverlet',
    exit_status: 1,
    wanted: 'Assert.Equal() Failure: Values differ',
    log: () => {
      const r = random(62)
      const row = () =>
        `| Shop.${r.word().padEnd(16)} | ${r.int(60, 99)}.${r.int(10, 99)}% | ` +
        `${r.int(50, 99)}.4%  | ${r.int(60, 99)}.1%  |`
      return job(
        'dotnet test --collect "XPlat Code Coverage"',
        1,
        text(
          'Starting test execution, please wait...',
          'A total of 1 test files matched the specified pattern.',
          `${ESC}[31m[xUnit.net 00:00:01.20]     Shop.Tests.PriceTests.AppliesDiscount ` +
            `[FAIL]${ESC}[0m`,
          block(`
              Failed Shop.Tests.PriceTests.AppliesDiscount [14 ms]
              Error Message:
               Assert.Equal() Failure: Values differ
            Expected: 90
            Actual:   100
              Stack Trace:
                 at Shop.Tests.PriceTests.AppliesDiscount() in /build/test/PriceTests.cs:line 41
               at System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(Object obj, BindingFlags \\
               flags)
          `),
          repeat(
            40,
            () =>
              `  Passed Shop.Tests.ErrorTests.Throws_when_${r.word()}_fails [< ${r.int(1, 9)} ms]`,
          ),
          '',
          'Failed!  - Failed:     1, Passed:   212, Skipped:     0, Total:   213 - ' +
            'Shop.Tests.dll (net8.0)',
          '',
          'Calculating coverage result...',
          '+-----------------------+--------+--------+--------+',
          '| Module                | Line   | Branch | Method |',
          '+-----------------------+--------+--------+--------+',
          repeat(64, row),
          '+-----------------------+--------+--------+--------+',
        ),
      )
    },
  },
  {
    name: 'nuget-package-missing',
    tool: 'nuget / dotnet restore',
    exit_status: 1,
    wanted: 'error NU1101: Unable to find package Example.Ledger',
    log: () =>
      job(
        'dotnet restore',
        1,
        text(
          '  Determining projects to restore...',
          repeat(
            14,
            (i) =>
              `  Restored /build/src/Shop.${random(70 + i).word()}/Shop.csproj (in ` +
              `${i + 2}.1 sec).`,
          ),
          '/build/src/Shop.Api/Shop.Api.csproj : error NU1101: Unable to find package ' +
            'Example.Ledger. No packages ' +
            'exist with this id in source(s): nuget.example.com [/build/Shop.sln]',
          '  Failed to restore /build/src/Shop.Api/Shop.Api.csproj (in 4.61 sec).',
          '  14 of 15 projects are up-to-date for restore.',
        ),
      ),
  },
]
