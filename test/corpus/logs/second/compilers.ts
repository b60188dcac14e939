import type { LogCase } from '../../case.js'
import { bold, boldRed, ESC, job, magenta, random, repeat, terminal, text } from './filler.js'

function compileLines(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () => `  CC      src/${r.word()}/${r.word()}_${r.pick(['error', 'io', 'map', 'set'])}.o`,
  )
}

function gccWarning(seed: number): string[] {
  const r = random(seed)
  const file = `src/${r.word()}/${r.word()}.c`
  const line = r.int(100, 400)
  const at = `${file}:${line}:7:`
  const name = r.word()
  return [
    `${file}: In function ‘${r.word()}_${r.word()}’:`,
    `${at} ${magenta('warning:')} unused variable ‘${name}’ [-Wunused-variable]`,
    `  ${line} |   int ${name} = ${r.word()}_errors(${r.word()});`,
    `      |       ${magenta(`^${'~'.repeat(name.length - 1)}`)}`,
  ]
}

function ninjaSteps(from: number, to: number, total: number, seed: number): string[] {
  const r = random(seed)
  return repeat(to - from + 1, (i) => {
    const dir = r.word()
    return (
      `[${from + i}/${total}] Building CXX object ` +
      `src/${dir}/CMakeFiles/${dir}.dir/${r.word()}.cpp.o`
    )
  })
}

function clangCommand(seed: number, file: string): string {
  const r = random(seed)
  const includes = repeat(24, () => `-I/build/third_party/${r.word()}/include`).join(' ')
  return (
    `/usr/bin/clang++ -DNDEBUG ${includes} -O2 -Wall -Werror=return-type -fPIC -std=c++20 ` +
    `-MD -MT ${file}.o -MF ${file}.o.d -o ${file}.o -c /build/${file}`
  )
}

export const cases: LogCase[] = [
  {
    name: 'make-parallel-undeclared',
    tool: 'make -j / gcc',
    exit_status: 2,
    wanted: 'src/net/poll.c:212:19: error: ‘POLL_EDGE’ undeclared',
    log: () =>
      job(
        'make -j16 all',
        2,
        text(
          compileLines(140, 1),
          gccWarning(2),
          compileLines(20, 3),
          'src/net/poll.c: In function ‘poll_add’:',
          `${bold('src/net/poll.c:212:19:')} ${boldRed('error: ')}‘${bold('POLL_EDGE')}’ ` +
            'undeclared (first use in this function); did you mean ‘POLL_EGDE’?',
          '  212 |   ev.events = POLL_EDGE | POLL_IN;',
          `      |               ${boldRed('^~~~~~~~~')}`,
          `      |               ${ESC}[32mPOLL_EGDE${ESC}[0m`,
          'src/net/poll.c:212:19: note: each undeclared identifier is reported only once ' +
            'for each function it appears in',
          'make[1]: *** [Makefile:88: src/net/poll.o] Error 1',
          'make[1]: *** Waiting for unfinished jobs....',
          repeat(22, (i) => gccWarning(100 + i).join('\n')),
          "make[1]: Leaving directory '/build/src'",
          'make: *** [Makefile:12: all] Error 2',
        ),
      ),
  },
  {
    name: 'ninja-clang-no-member',
    tool: 'ninja / clang',
    exit_status: 1,
    wanted: "src/audio/mixer.cpp:88:11: error: no member named 'gain_db' in 'audio::Track'",
    log: () =>
      job(
        'ninja -C out',
        1,
        text(
          "ninja: Entering directory `out'",
          ninjaSteps(1, 410, 733, 5),
          '[411/733] Building CXX object src/audio/CMakeFiles/audio.dir/mixer.cpp.o',
          `${ESC}[31mFAILED: ${ESC}[0msrc/audio/CMakeFiles/audio.dir/mixer.cpp.o `,
          clangCommand(6, 'src/audio/mixer.cpp'),
          "/build/src/audio/mixer.cpp:88:11: error: no member named 'gain_db' in 'audio::Track'",
          '   88 |     track.gain_db = clamp(level, kFloor, kCeiling);',
          '      |     ~~~~~ ^',
          '1 error generated.',
          ninjaSteps(412, 427, 733, 7),
          'ninja: build stopped: subcommand failed.',
        ),
      ),
  },
  {
    name: 'ninja-keep-going-missing-header',
    tool: 'ninja -k 0 / clang',
    exit_status: 1,
    wanted: "fatal error: 'proto/tariff.pb.h' file not found",
    log: () =>
      text(
        ninjaSteps(1, 60, 1204, 8),
        'FAILED: src/tariff/CMakeFiles/tariff.dir/load_error.cpp.o ',
        clangCommand(9, 'src/tariff/load_error.cpp'),
        "/build/src/tariff/load_error.cpp:3:10: fatal error: 'proto/tariff.pb.h' file not found",
        '    3 | #include "proto/tariff.pb.h"',
        '      |          ^~~~~~~~~~~~~~~~~~~',
        '1 error generated.',
        ninjaSteps(62, 1198, 1204, 10),
        'ninja: build stopped: cannot make progress due to previous errors.',
      ),
  },
  {
    name: 'linker-undefined-symbol',
    tool: 'ld / collect2',
    exit_status: 2,
    wanted: 'undefined reference to `codec_open_v3',
    log: () =>
      terminal(
        job(
          'make',
          2,
          text(
            compileLines(90, 11),
            '  AR      libcodec.a',
            '  LD      bin/player',
            "/usr/bin/ld: build/player_main.o: in function `start_playback.constprop.0.isra.0':",
            "/build/src/player_main.c:141:(.text+0x3fc): undefined reference to `codec_open_v3'",
            'collect2: error: ld returned 1 exit status',
            'make: *** [Makefile:57: bin/player] Error 1',
          ),
        ),
      ),
  },
  {
    name: 'overload-with-long-candidate-list',
    tool: 'g++',
    exit_status: 1,
    wanted: 'src/main.cpp:27:13: error: no match for ‘operator<<’',
    log: () =>
      job(
        './build.sh',
        1,
        text(
          '+ g++ -std=c++20 -O2 -Iinclude -c src/main.cpp -o build/main.o',
          'src/main.cpp: In function ‘int main()’:',
          'src/main.cpp:27:13: error: no match for ‘operator<<’ (operand types are ' +
            '‘std::ostream’ and ‘Basket’)',
          '   27 |   std::cerr << basket << " error" << std::endl;',
          '      |   ~~~~~~~~~ ^~ ~~~~~~',
          '      |        |       |',
          '      |        |       Basket',
          '      |        std::ostream {aka std::basic_ostream<char>}',
          repeat(34, (i) =>
            text(
              `/usr/include/c++/13/ostream:${110 + i * 4}:7: note: candidate: ` +
                '‘std::basic_ostream<_CharT, ' +
                '_Traits>::__ostream_type& std::basic_ostream<_CharT, _Traits>::operator<<(int)’',
              `  ${110 + i * 4} |       operator<<(int __n);`,
              '      |       ^~~~~~~~',
            ).trimEnd(),
          ),
        ),
      ),
  },
]
