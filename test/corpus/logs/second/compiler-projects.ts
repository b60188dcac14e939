import type { LogCase } from '../../case.js'
import { block, boldRed, cap, ESC, job, random, repeat, stamped, terminal, text } from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'msvc-undeclared-in-parallel-projects',
    tool: 'msbuild / cl',
    exit_status: 1,
    wanted: "mixer.cpp(88,17): error C2065: 'gain_db': undeclared identifier",
    log: () => {
      const r = random(14)
      const error = (node: string) =>
        `${node}D:\\agent\\shop\\audio\\mixer.cpp(88,17): error C2065: 'gain_db': ` +
        'undeclared identifier [D:\\agent\\shop\\audio\\audio.vcxproj]'
      const warnings = repeat(
        66,
        () =>
          `D:\\agent\\shop\\${r.word()}\\${r.word()}.cpp(${r.int(9, 400)},${r.int(3, 40)}): ` +
          'warning C4244: ' +
          "'argument': conversion from 'double' to 'float', possible loss of data",
      )
      return terminal(
        text(
          'MSBuild version 17.9.8+b34f75857 for .NET Framework',
          'Build started 3/4/2026 9:12:07 AM.',
          warnings.slice(0, 30).map((row, i) => `  ${1 + (i % 4)}>${row}`),
          error('     3>'),
          warnings.slice(30).map((row, i) => `  ${1 + (i % 4)}>${row}`),
          'Build FAILED.',
          '',
          warnings.map((row) => `         ${row}`),
          error('         '),
          '',
          '    66 Warning(s)',
          '    1 Error(s)',
          '',
          'Time Elapsed 00:01:41.22',
        ),
      )
    },
  },
  {
    name: 'cmake-package-not-found',
    tool: 'cmake',
    exit_status: 1,
    wanted: 'Could not find a package configuration file provided by "TurboJPEG"',
    log: () =>
      job(
        'cmake -S . -B out -G Ninja',
        1,
        text(
          block(`
            -- The CXX compiler identification is GNU 13.2.0
            -- Detecting CXX compiler ABI info - done
            -- Looking for pthread.h - found
            -- Performing Test HAVE_STRERROR_R - Success
            -- Performing Test HAVE_PTHREAD_SETNAME - Failed
            -- Looking for error.h - not found
            ${ESC}[31mCMake Error at CMakeLists.txt:41 (find_package):
              By not providing "FindTurboJPEG.cmake" in CMAKE_MODULE_PATH this project has
              asked CMake to find a package configuration file provided by "TurboJPEG",
              but CMake did not find one.

              Could not find a package configuration file provided by "TurboJPEG"
              (requested version 3.0) with any of the following names:

                TurboJPEGConfig.cmake
                turbojpeg-config.cmake

              Add the installation prefix of "TurboJPEG" to CMAKE_PREFIX_PATH or set
              "TurboJPEG_DIR" to a directory containing one of the above files.

            ${ESC}[0m
            -- Configuring incomplete, errors occurred!
          `),
        ),
      ),
  },
  {
    name: 'bazel-compile-failed-keep-going',
    tool: 'bazel',
    exit_status: 1,
    wanted: "cart/total.cc:19:10: error: use of undeclared identifier 'RoundHalfUp'",
    log: () => {
      const r = random(16)
      const info = `${ESC}[32mINFO: ${ESC}[0m`
      const progress = (done: number) =>
        `\r${ESC}[1A${ESC}[K${ESC}[32m[${done} / 1,902]${ESC}[0m Compiling ` +
        `${r.word()}/${r.word()}.cc; ${r.int(0, 9)}s linux-sandbox ... (16 actions running)`
      return job(
        'bazel test --keep_going //...',
        1,
        text(
          `${info}Invocation ID: ${r.hex(8)}-${r.hex(4)}-${r.hex(4)}-${r.hex(4)}-${r.hex(12)}`,
          `${info}Analyzed 212 targets (94 packages loaded, 4100 targets configured).`,
          repeat(30, (i) => progress(40 + i * 9)),
          `${boldRed('ERROR: ')}/build/cart/BUILD.bazel:14:11: Compiling cart/total.cc ` +
            'failed: (Exit 1): ' +
            'clang failed: error executing CppCompile command (from target //cart:total)',
          "cart/total.cc:19:10: error: use of undeclared identifier 'RoundHalfUp'",
          '   19 |   return RoundHalfUp(sum, 2);',
          '      |          ^',
          '1 error generated.',
          repeat(120, (i) => progress(330 + i * 11)),
          `${info}Elapsed time: 81.204s, Critical Path: 30.11s`,
          `${info}Build completed, 1 test FAILED TO BUILD, 1650 total actions`,
          repeat(96, () => `//${r.word()}:${r.word()}_error_test ${green96(r.int(1, 9))}`),
          `//cart:total_test                                    ${boldRed('FAILED TO BUILD')}`,
          '',
          'Executed 96 out of 97 tests: 96 tests pass and 1 fails to build.',
        ),
      )
    },
  },
  {
    name: 'haskell-type-mismatch',
    tool: 'cabal / ghc',
    exit_status: 1,
    wanted: "• Couldn't match expected type ‘Cents’ with actual type ‘Double’",
    log: () => {
      const r = random(17)
      return stamped(
        job(
          'cabal build all',
          1,
          text(
            repeat(
              44,
              (i) =>
                `[${i + 1} of 61] Compiling Shop.${cap(r.word())}.${cap(r.word())} ( ` +
                `src/${r.word()}.hs )`,
            ),
            '',
            `${ESC}[;1msrc/Shop/Cart.hs:41:12: ${ESC}[31merror${ESC}[0m: [GHC-83865]`,
            "    • Couldn't match expected type ‘Cents’ with actual type ‘Double’",
            '    • In the first argument of ‘addTax’, namely ‘subtotal’',
            '      In the expression: addTax subtotal',
            '      In an equation for ‘total’: total c = addTax subtotal',
            '   |',
            '41 | total c = addTax subtotal',
            '   |                  ^^^^^^^^',
            'Error: [Cabal-7125]',
            'Failed to build shop-2.4.0 (which is required by exe:shop from shop-2.4.0).',
          ),
        ),
        18,
        'agent',
      )
    },
  },
]

function green96(seconds: number): string {
  return `${ESC}[32mPASSED${ESC}[0m in ${seconds}.${seconds}s`
}
