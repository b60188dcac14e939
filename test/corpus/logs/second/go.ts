import type { LogCase } from '../../case.js'
import { block, cap, job, random, repeat, stamped, text } from './filler.js'

function passes(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(count, () => {
    const name = `Test${cap(r.word())}/${r.pick(['returns_error', 'handles_failure', 'panics', 'ok'])}_${r.word()}`
    return `=== RUN   ${name}\n    --- PASS: ${name} (0.0${r.int(0, 9)}s)`
  })
}

function packages(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () =>
      `ok  \texample.com/shop/${r.word()}/${r.pick(['errors', 'api', 'store'])}\t0.${r.int(100, 999)}s`,
  )
}

function goroutines(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(count, (i) =>
    text(
      `goroutine ${40 + i} [${r.pick(['chan receive', 'select', 'IO wait'])}]:`,
      `example.com/shop/${r.word()}.(*Errors).loop(0xc000${r.hex(6)})`,
      `\t/build/${r.word()}/${r.word()}.go:${r.int(20, 300)} +0x${r.hex(2)}`,
      `created by example.com/shop/${r.word()}.Start in goroutine 1`,
      `\t/build/${r.word()}/start.go:${r.int(20, 90)} +0x${r.hex(3)}`,
    ),
  )
}

export const cases: LogCase[] = [
  {
    name: 'go-test-verbose-one-of-many',
    tool: 'go test -v',
    exit_status: 1,
    wanted: 'cart_test.go:48: Total() = 1799, want 1800',
    log: () =>
      job(
        'go test -v ./...',
        1,
        text(
          passes(90, 71),
          '=== RUN   TestTotal',
          '=== RUN   TestTotal/with_voucher',
          '    cart_test.go:48: Total() = 1799, want 1800',
          '--- FAIL: TestTotal (0.00s)',
          '    --- PASS: TestTotal/without_voucher (0.00s)',
          '    --- FAIL: TestTotal/with_voucher (0.00s)',
          passes(120, 72),
          'FAIL',
          'FAIL\texample.com/shop/cart\t0.412s',
          packages(30, 73),
          'FAIL',
        ),
      ),
  },
  {
    name: 'go-vet-printf',
    tool: 'go vet',
    exit_status: 1,
    wanted: 'api/handler.go:77:3: fmt.Printf format %d has arg name of wrong type string',
    log: () =>
      job(
        'go vet ./...',
        1,
        text(
          repeat(12, (i) => `go: downloading example.com/${random(i).word()}/errors v1.${i}.2`),
          '# example.com/shop/api',
          '# [example.com/shop/api]',
          'api/handler.go:77:3: fmt.Printf format %d has arg name of wrong type string',
        ),
      ),
  },
  {
    name: 'go-build-undefined-among-ok-packages',
    tool: 'go test (build failed)',
    exit_status: 1,
    wanted: 'internal/queue/consumer.go:31:14: undefined: backoff.Exponential',
    log: () =>
      job(
        'make test',
        2,
        text(
          'go test ./...',
          '# example.com/shop/internal/queue',
          'internal/queue/consumer.go:31:14: undefined: backoff.Exponential',
          packages(44, 74),
          'FAIL\texample.com/shop/internal/queue [build failed]',
          packages(38, 75),
          'FAIL',
          'make: *** [Makefile:9: test] Error 1',
        ),
      ),
  },
  {
    name: 'go-data-race',
    tool: 'go test -race',
    exit_status: 1,
    wanted: 'WARNING: DATA RACE',
    log: () =>
      stamped(
        job(
          'go test -race ./...',
          1,
          text(
            packages(20, 76),
            block(`
              ==================
              WARNING: DATA RACE
              Write at 0x00c00012a0f8 by goroutine 41:
                example.com/shop/rate.(*Table).Set()
                    /build/rate/table.go:52 +0x84
                example.com/shop/rate.TestRefresh.func2()
                    /build/rate/table_test.go:33 +0x44

              Previous read at 0x00c00012a0f8 by goroutine 40:
                example.com/shop/rate.(*Table).Get()
                    /build/rate/table.go:44 +0x6c

              Goroutine 41 (running) created at:
                example.com/shop/rate.TestRefresh()
                    /build/rate/table_test.go:31 +0x1ec
              ==================
              --- FAIL: TestRefresh (0.02s)
                  testing.go:1399: race detected during execution of test
              FAIL
              FAIL\texample.com/shop/rate\t0.204s
            `),
            packages(18, 77),
            'FAIL',
          ),
        ),
        78,
        'agent',
      ),
  },
  {
    name: 'go-panic-with-goroutine-dump',
    tool: 'go test (panic)',
    exit_status: 1,
    wanted: 'panic: runtime error: invalid memory address or nil pointer dereference',
    log: () =>
      job(
        'go test ./...',
        1,
        text(
          packages(24, 79),
          '2026/03/04 09:12:07 http: panic serving 192.0.2.7:4120: test of the error page',
          '--- FAIL: TestImport (0.00s)',
          'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
          '\tpanic: runtime error: invalid memory address or nil pointer dereference',
          '[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6f1a2c]',
          '',
          goroutines(30, 80),
          'FAIL\texample.com/shop/imports\t0.031s',
          packages(6, 81),
          'FAIL',
        ),
      ),
  },
  {
    name: 'go-test-deadline',
    tool: 'go test (timeout)',
    exit_status: 1,
    wanted: 'panic: test timed out after 10m0s',
    log: () =>
      job(
        'go test -timeout 10m ./...',
        1,
        text(
          packages(10, 82),
          'panic: test timed out after 10m0s',
          '\trunning tests:',
          '\t\tTestDrain (9m58s)',
          '',
          goroutines(64, 83),
          'FAIL\texample.com/shop/queue\t600.021s',
          'FAIL',
        ),
      ),
  },
  {
    name: 'go-module-checksum',
    tool: 'go mod download',
    exit_status: 1,
    wanted: 'verifying module: checksum mismatch',
    log: () =>
      job(
        'go mod download -x',
        1,
        text(
          repeat(
            50,
            (i) =>
              `# get https://proxy.example.org/example.com/${random(i).word()}/@v/v1.${i}.0.info: ` +
              `200 OK (0.0${i % 10}1s)`,
          ),
          block(`
            go: example.com/ledger/v2@v2.4.1: verifying module: checksum mismatch
            \tdownloaded: h1:${random(1).hex(43)}=
            \tgo.sum:     h1:${random(2).hex(43)}=

            SECURITY ERROR
            This download does NOT match an earlier download recorded in go.sum.
            The bits may have been replaced on the origin server, or an attacker may
            have intercepted the download attempt.

            For more information, see 'go help module-auth'.
          `),
        ),
      ),
  },
  {
    name: 'golangci-unchecked-error',
    tool: 'golangci-lint',
    exit_status: 1,
    wanted: 'internal/store/store.go:112:18: Error return value of `rows.Close` is not checked',
    log: () =>
      job(
        'golangci-lint run',
        1,
        text(
          'level=warning msg="[config_reader] The configuration option `run.skip-files` is ' +
            'deprecated"',
          "level=warning msg=\"[runner] The linter 'exportloopref' is deprecated due to: it " +
            'fails on new code."',
          'internal/store/store.go:112:18: Error return value of `rows.Close` is not checked ' +
            '(errcheck)',
          '\tdefer rows.Close()',
          '\t                ^',
        ),
      ),
  },
]
