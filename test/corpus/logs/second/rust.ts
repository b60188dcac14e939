import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldBlue,
  boldRed,
  boldYellow,
  ESC,
  job,
  random,
  repeat,
  text,
} from './filler.js'

const step = (verb: string) => `${ESC}[1m${ESC}[32m${verb.padStart(12)}${ESC}[0m`

function crates(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () =>
      `${step('Compiling')} ${r.word()}-${r.pick(['error', 'core', 'derive', 'sys'])} ` +
      `v${r.int(0, 3)}.${r.int(0, 40)}.${r.int(0, 9)}`,
  )
}

function warning(seed: number, crate: string): string[] {
  const r = random(seed)
  const name = `${r.word()}_${r.word()}`
  const line = r.int(10, 99)
  const bar = boldBlue('|')
  return [
    `${boldYellow('warning')}${bold(`: unused variable: \`${name}\``)}`,
    `  ${boldBlue('-->')} crates/${crate}/src/${r.word()}.rs:${line}:9`,
    `   ${bar}`,
    `${boldBlue(String(line))} ${bar}     let ${name} = last_error();`,
    `   ${bar}         ${boldYellow('^'.repeat(name.length))} ` +
      `${boldYellow(`help: if this is intentional, prefix it with an underscore: \`_${name}\``)}`,
    '',
  ]
}

function testLines(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () =>
      `test ${r.word()}::tests::${r.pick(['returns_error_for', 'fails_without', 'panics_on', 'rounds'])}_${r.word()}_${r.hex(3)} ... ok`,
  )
}

export const cases: LogCase[] = [
  {
    name: 'borrow-of-moved-value-before-warnings',
    tool: 'cargo build / rustc',
    exit_status: 101,
    wanted: 'error[E0382]: borrow of moved value: `basket`',
    log: () =>
      job(
        'cargo build --workspace --locked',
        101,
        text(
          crates(180, 21),
          `${boldRed('error[E0382]')}${bold(': borrow of moved value: `basket`')}`,
          block(`
              ${boldBlue('-->')} crates/ledger/src/post.rs:64:22
               ${boldBlue('|')}
            61 ${boldBlue('|')}     let basket = open(id)?;
               ${boldBlue('|')}         ------ move occurs because \`basket\` has type \`Basket\`
            63 ${boldBlue('|')}     archive(basket);
               ${boldBlue('|')}             ------ value moved here
            64 ${boldBlue('|')}     tracing::error!("{basket:?}");
               ${boldBlue('|')}                      ${boldRed('^^^^^^')} value borrowed here \\
               after move

            For more information about this error, try \`rustc --explain E0382\`.
          `),
          `${boldRed('error')}${bold(': could not compile `ledger` (lib) due to 1 previous error')}`,
          `${boldYellow('warning')}${bold(': build failed, waiting for other jobs to finish...')}`,
          repeat(23, (i) => warning(200 + i, 'tariff').join('\n')),
          `${boldYellow('warning')}: \`tariff\` (lib) generated 23 warnings (run \`cargo fix ` +
            `--lib -p tariff\` to apply 23 suggestions)`,
        ),
      ),
  },
  {
    name: 'cargo-test-assertion',
    tool: 'cargo test',
    exit_status: 101,
    wanted: 'assertion `left == right` failed: rounding of 0.125',
    log: () =>
      job(
        'cargo test',
        101,
        text(
          `${step('Finished')} \`test\` profile [unoptimized + debuginfo] target(s) in 41.02s`,
          `${step('Running')} unittests src/lib.rs (target/debug/deps/money-${random(23).hex(16)})`,
          '',
          'running 161 tests',
          testLines(90, 22),
          'test money::tests::rounds_half_up ... FAILED',
          testLines(70, 24),
          block(`

            failures:

            ---- money::tests::rounds_half_up stdout ----

            thread 'money::tests::rounds_half_up' panicked at src/money.rs:88:9:
            assertion \`left == right\` failed: rounding of 0.125
              left: 12
             right: 13
            note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


            failures:
                money::tests::rounds_half_up

            test result: FAILED. 160 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; \\
            finished in 2.14s

            ${boldRed('error')}: test failed, to rerun pass \`--lib\`
          `),
        ),
      ),
  },
  {
    name: 'cargo-test-no-fail-fast-doctests-behind',
    tool: 'cargo test --no-fail-fast',
    exit_status: 101,
    wanted: 'called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }',
    log: () =>
      text(
        'running 40 tests',
        testLines(39, 25),
        'test parse::tests::accepts_grouped_digits ... FAILED',
        block(`

          failures:

          ---- parse::tests::accepts_grouped_digits stdout ----
          thread 'parse::tests::accepts_grouped_digits' panicked at crates/parse/src/lib.rs:19:40:
          called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
          note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

          failures:
              parse::tests::accepts_grouped_digits

          test result: FAILED. 39 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out

          error: test failed, to rerun pass \`-p parse --lib\`
        `),
        ['error_page', 'export', 'tariff', 'wallet'].flatMap((crate, i) => [
          '     Running unittests src/lib.rs ' +
            `(target/debug/deps/${crate}-${random(26 + i).hex(16)})`,
          '',
          'running 30 tests',
          ...testLines(30, 30 + i),
          '',
          'test result: ok. 30 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
          '',
        ]),
        '   Doc-tests wallet',
        '',
        'running 0 tests',
        '',
        'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
        '',
        'error: 1 target failed:',
        '    `-p parse --lib`',
      ),
  },
  {
    name: 'clippy-denied-lint-among-warnings',
    tool: 'cargo clippy',
    exit_status: 101,
    wanted: 'error: used `unwrap()` on a `Result` value',
    log: () =>
      job(
        'cargo clippy --all-targets',
        101,
        text(
          repeat(30, (i) => `${step('Checking')} ${random(300 + i).word()}-error v1.${i}.0`),
          repeat(9, (i) => warning(340 + i, 'quota').join('\n')),
          `${boldRed('error')}${bold(': used `unwrap()` on a `Result` value')}`,
          block(`
              ${boldBlue('-->')} crates/quota/src/read.rs:31:17
               ${boldBlue('|')}
            31 ${boldBlue('|')}     let limit = text.parse::<u32>().unwrap();
               ${boldBlue('|')}                 ${boldRed('^^^^^^^^^^^^^^^^^^^^^^^^^^^^')}
               ${boldBlue('|')}
               = note: if this value is an \`Err\`, it will panic
               = note: requested on the command line with \`-D clippy::unwrap-used\`

          `),
          repeat(14, (i) => warning(360 + i, 'quota').join('\n')),
          `${boldYellow('warning')}: \`quota\` (lib) generated 23 warnings`,
          `${boldRed('error')}: could not compile \`quota\` (lib) due to 1 previous error; 23 ` +
            'warnings emitted',
        ),
      ),
  },
  {
    name: 'cargo-version-conflict',
    tool: 'cargo',
    exit_status: 101,
    wanted: 'with features: `error-codes` but `ledger-wire` does not have these features',
    log: () =>
      job(
        'cargo fetch',
        101,
        text(
          `${ESC}[1m${ESC}[32m    Updating${ESC}[0m \`shop\` index`,
          block(`
            ${boldRed('error')}: failed to select a version for \`ledger-wire\`.
                ... required by package \`tariff v0.4.1 (/build/crates/tariff)\`
                ... which satisfies path dependency \`tariff\` of package \`shop v2.0.0 (/build)\`
            versions that meet the requirements \`^3.2\` are: 3.2.1, 3.2.0

            the package \`shop\` depends on \`ledger-wire\`, with features: \`error-codes\` but \\
            \`ledger-wire\` does not have these features.


          `),
        ),
      ),
  },
  {
    name: 'rustfmt-check-diff',
    tool: 'cargo fmt --check',
    exit_status: 1,
    wanted: 'Diff in /build/crates/wallet/src/error.rs:14',
    log: () =>
      job(
        'cargo fmt --all -- --check',
        1,
        text(
          'Diff in /build/crates/wallet/src/error.rs:14:',
          ' impl std::error::Error for WalletError {}',
          ' ',
          `${ESC}[31m-pub fn describe(code : u16)->&'static str {`,
          `${ESC}[0m${ESC}[32m+pub fn describe(code: u16) -> &'static str {`,
          `${ESC}[0m     match code {`,
          '         1 => "no error",',
          ' ',
        ),
      ),
  },
]
