import type { LogCase } from '../../case.js'
import {
  block,
  cap,
  composeDown,
  ESC,
  gray,
  job,
  random,
  removed,
  repeat,
  stamped,
  terminal,
  text,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'disk-full-before-clean-up',
    tool: 'disk full',
    exit_status: 2,
    wanted: 'Wrote only 4096 of 10240 bytes: No space left on device',
    log: () => {
      const r = random(231)
      return job(
        './scripts/pack',
        2,
        text(
          repeat(90, () => `./images/${r.word()}/${r.word()}_error.png`),
          'tar: /tmp/pack/images.tar: Wrote only 4096 of 10240 bytes: No space left on device',
          'tar: Error is not recoverable: exiting now',
          removed(120, 232, '/tmp/pack'),
        ),
      )
    },
  },
  {
    name: 'compiler-killed',
    tool: 'out of memory (g++)',
    exit_status: 2,
    wanted: 'g++: fatal error: Killed signal terminated program cc1plus',
    log: () => {
      const r = random(233)
      const steps = (from: number, count: number) =>
        repeat(
          count,
          (i) =>
            `[${String(Math.min(99, from + i)).padStart(3)}%] Building CXX object ` +
            `src/CMakeFiles/shop.dir/${r.word()}_error.cpp.o`,
        )
      return job(
        'make -j32',
        2,
        text(
          steps(1, 60),
          'g++: fatal error: Killed signal terminated program cc1plus',
          'compilation terminated.',
          'make[2]: *** [src/CMakeFiles/shop.dir/build.make:412: ' +
            'src/CMakeFiles/shop.dir/grammar.cpp.o] Error 1',
          'make[2]: *** Waiting for unfinished jobs....',
          steps(60, 31),
          'make[1]: *** [CMakeFiles/Makefile2:98: src/CMakeFiles/shop.dir/all] Error 2',
          'make: *** [Makefile:136: all] Error 2',
        ),
      )
    },
  },
  {
    name: 'bash-killed-bundle',
    tool: 'out of memory (shell)',
    exit_status: 137,
    wanted: 'scripts/bundle: line 41:  4121 Killed',
    log: () =>
      job(
        'scripts/bundle',
        137,
        text(
          repeat(50, (i) => `bundled ${random(i).word()} without errors`),
          'scripts/bundle: line 41:  4121 Killed                  node ' +
            '--max-old-space-size=8192 bundle.js',
        ),
      ),
  },
  {
    name: 'node-heap-limit',
    tool: 'out of memory (node)',
    exit_status: 134,
    wanted: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    log: () =>
      job(
        'npm run build',
        134,
        text(
          repeat(20, (i) => `built locale ${i} (0 errors)`),
          block(`

            <--- Last few GCs --->

            [4121:0x6a1c2b0]   114012 ms: Mark-sweep (reduce) 4094.1 (4141.2) -> 4093.9 (4141.4) \\
            MB, \\
            2012.1 / 0.0 ms  (average mu = 0.071) allocation failure; scavenge might not succeed

            <--- JS stacktrace --->

            FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
          `),
          repeat(
            14,
            (i) =>
              ` ${i + 1}: 0x${random(i).hex(6)} v8::internal::Heap::${cap(random(i + 7).word())}${cap(random(i).word())}() [node]`,
          ),
          'Aborted (core dumped)',
        ),
      ),
  },
  {
    name: 'segmentation-fault',
    tool: 'segfault (shell)',
    exit_status: 139,
    wanted: 'line 12:  4121 Segmentation fault      (core dumped) ./out/importer',
    log: () =>
      job(
        './scripts/import-samples',
        139,
        text(
          repeat(90, (i) => `importer: sample ${i} read, error count 0`),
          './scripts/import-samples: line 12:  4121 Segmentation fault      (core dumped) ' +
            './out/importer samples/91.bin',
          composeDown(['db', 'cache']),
        ),
      ),
  },
  {
    name: 'timeout-command',
    tool: 'timeout',
    exit_status: 124,
    wanted: 'timeout: sending signal TERM to command ‘./integration’',
    log: () =>
      stamped(
        job(
          'timeout --verbose 20m ./integration',
          124,
          text(
            repeat(110, (i) => `integration: ${random(i).word()} answered in ${i} ms, no error`),
            'timeout: sending signal TERM to command ‘./integration’',
            repeat(30, (i) => `integration: closing connection ${i}`),
          ),
        ),
        234,
        'agent',
      ),
  },
  {
    name: 'job-canceled-after-limit',
    tool: 'job time limit',
    exit_status: null,
    wanted: 'The job ran longer than its limit of 30 minutes',
    log: () =>
      job(
        './scripts/wait-for-index',
        null,
        text(
          repeat(
            180,
            (i) => `waiting for the search index (attempt ${i + 1}): status=red, failed shards 0`,
          ),
          `${ESC}[33m# The job ran longer than its limit of 30 minutes, canceling${ESC}[0m`,
          '# Received cancellation signal, interrupting',
          'Terminated',
        ),
      ),
  },
  {
    name: 'download-fails-behind-progress',
    tool: 'curl (progress bar)',
    exit_status: 56,
    wanted: 'curl: (56) OpenSSL SSL_read: Connection reset by peer',
    log: () =>
      terminal(
        job(
          './scripts/fetch-model',
          56,
          text(
            '  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current',
            '                                 Dload  Upload   Total   Spent    Left  Speed',
            repeat(
              400,
              (i) =>
                `\r ${String(Math.floor(i / 5)).padStart(2)} 1204M   ${Math.floor(i / 5)}  ` +
                `${i * 3}M    0     0  41.2M      0  0:00:29  ` +
                `0:00:${String(i % 60).padStart(2, '0')}  0:00:21 40.1M`,
            ).join(''),
            'curl: (56) OpenSSL SSL_read: Connection reset by peer, errno 104',
          ),
        ),
      ),
  },
  {
    name: 'retries-last-counts',
    tool: 'retry loop (network)',
    exit_status: 22,
    wanted: 'curl: (22) The requested URL returned error: 410',
    log: () => {
      const r = random(235)
      return job(
        './scripts/fetch-tariffs',
        22,
        text(
          repeat(4, (i) =>
            [
              `attempt ${i + 1} of 5: GET https://tariffs.example.org/2026.json`,
              i === 2
                ? 'curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received'
                : 'curl: (22) The requested URL returned error: 503',
              `attempt ${i + 1} failed, trying again in ${2 ** i} s`,
            ].join('\n'),
          ),
          'attempt 5 of 5: GET https://tariffs.example.org/2026.json',
          'curl: (22) The requested URL returned error: 410',
          'giving up after 5 attempts',
          repeat(40, () => gray(`kept the old tariff of ${r.word()}`)),
        ),
      )
    },
  },
  {
    name: 'checksum-in-a-long-list',
    tool: 'sha256sum -c',
    exit_status: 1,
    wanted: 'dist/shop-2.4.1-linux-arm64.tar.gz: FAILED',
    log: () => {
      const r = random(236)
      const ok = (count: number) =>
        repeat(count, () => `dist/${r.word()}-failed-${r.hex(5)}.log: OK`)
      return text(
        ok(140),
        'dist/shop-2.4.1-linux-arm64.tar.gz: FAILED',
        ok(200),
        'sha256sum: WARNING: 1 computed checksum did NOT match',
      )
    },
  },
  {
    name: 'port-in-use',
    tool: 'node server',
    exit_status: 1,
    wanted: 'Error: listen EADDRINUSE: address already in use :::8080',
    log: () =>
      stamped(
        job(
          'npm run smoke',
          1,
          text(
            block(`
              node:events:497
                    throw er; // Unhandled 'error' event
                    ^

              Error: listen EADDRINUSE: address already in use :::8080
                  at Server.setupListenHandle [as _listen2] (node:net:1898:16)
                  at listenInCluster (node:net:1946:12)
              Emitted 'error' event on Server instance at:
                  at emitErrorNT (node:net:1925:8) {
                code: 'EADDRINUSE',
                errno: -98,
                syscall: 'listen',
                port: 8080
              }
            `),
            repeat(61, (i) => `smoke: GET /health -> connection refused, try ${i + 1} of 61`),
            'smoke: error: the server did not start',
          ),
        ),
        237,
        'iso',
      ),
  },
]
