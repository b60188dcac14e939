import type { LogCase } from '../../case.js'
import { dim, lines, many, name, red, varied } from '../../filler.js'

export const compilers: readonly LogCase[] = [
  {
    name: 'gcc-in-parallel',
    tool: 'gcc and make -j',
    exit_status: 2,
    wanted: "src/order.c:88:14: error: 'struct order' has no member named 'totl'",
    log: () =>
      lines(
        many(120, (at) => `cc -O2 -Wall -Iinclude -c src/${name(at)}.c -o obj/${name(at)}.o`),
        "src/order.c: In function 'order_total':",
        "src/order.c:88:14: error: 'struct order' has no member named 'totl'; did you mean 'total'?",
        '   88 |   return o->totl * o->count;',
        '      |              ^~~~',
        '      |              total',
        'make: *** [Makefile:31: obj/order.o] Error 1',
        'make: *** Waiting for unfinished jobs....',
        many(140, (at) => `cc -O2 -Wall -Iinclude -c src/${name(at + 200)}.c -o obj/x${at}.o`),
      ),
  },
  {
    name: 'clang-warnings-behind-the-error',
    tool: 'clang and ninja',
    exit_status: 1,
    wanted: "use of undeclared identifier 'kMaxItems'",
    log: () =>
      lines(
        many(40, (at) => `[${at + 1}/310] Building CXX object core/${name(at)}_errors.cpp.o`),
        'FAILED: core/basket.cpp.o',
        '/usr/bin/c++ -Iinclude -std=c++20 -o core/basket.cpp.o -c ../core/basket.cpp',
        "../core/basket.cpp:41:24: error: use of undeclared identifier 'kMaxItems'",
        '  if (items.size() > kMaxItems) return false;',
        '                     ^',
        '1 error generated.',
        many(70, (at) =>
          [
            `../core/${name(at)}.cpp:${at + 9}:3: warning: unused variable 'error' [-Wunused-variable]`,
            `  int error = ${at};`,
          ].join('\n'),
        ),
        'ninja: build stopped: subcommand failed.',
      ),
  },
  {
    name: 'linker-undefined-reference',
    tool: 'ld',
    exit_status: 1,
    wanted: "undefined reference to `invoice_print'",
    log: () =>
      lines(
        many(90, (at) => `[ ${at % 100}%] Building C object CMakeFiles/app.dir/${name(at)}.c.o`),
        '[100%] Linking C executable app',
        "/usr/bin/ld: CMakeFiles/app.dir/main.c.o: in function `main':",
        "main.c:(.text+0x2a): undefined reference to `invoice_print'",
        'collect2: error: ld returned 1 exit status',
        'gmake[2]: *** [CMakeFiles/app.dir/build.make:97: app] Error 1',
        'gmake[1]: *** [CMakeFiles/Makefile2:83: CMakeFiles/app.dir/all] Error 2',
        'gmake: *** [Makefile:91: all] Error 2',
      ),
  },
  {
    name: 'rustc-borrow',
    tool: 'cargo build',
    exit_status: 101,
    wanted: 'error[E0502]: cannot borrow `cart` as mutable',
    log: () =>
      lines(
        many(180, (at) => `   Compiling ${name(at)}-error v0.${at % 9}.${varied(at, 30)}`),
        'error[E0502]: cannot borrow `cart` as mutable because it is also borrowed as immutable',
        '  --> src/cart.rs:52:9',
        '   |',
        '51 |     let first = &cart.items[0];',
        '   |                  ---------- immutable borrow occurs here',
        '52 |     cart.clear();',
        '   |     ^^^^^^^^^^^^ mutable borrow occurs here',
        '',
        many(50, (at) =>
          [
            `warning: unused import: \`std::error::Error${at}\``,
            ` --> src/${name(at)}.rs:1:5`,
            '  |',
          ].join('\n'),
        ),
        'warning: `shop` (lib) generated 50 warnings',
        'error: could not compile `shop` (lib) due to 1 previous error; 50 warnings emitted',
      ),
  },
  {
    name: 'typescript-project',
    tool: 'tsc',
    exit_status: 2,
    wanted: "error TS2339: Property 'totals' does not exist on type 'Cart'",
    log: () =>
      lines(
        '$ tsc -b --verbose',
        many(
          30,
          (at) => `[9:00:${at + 10} AM] Project 'packages/${name(at)}/tsconfig.json' is up to date`,
        ),
        "packages/web/src/cart.ts(14,22): error TS2339: Property 'totals' does not exist on type 'Cart'.",
        many(
          90,
          (at) =>
            `[9:01:${at} AM] Skipping build of project 'packages/${name(at)}' because its dependency 'packages/web' has errors`,
        ),
      ),
  },
  {
    name: 'go-build',
    tool: 'go build',
    exit_status: 1,
    wanted: './handler.go:27:15: undefined: newRouter',
    log: () =>
      lines(
        many(70, (at) => `go: downloading example.com/lib/${name(at)} v1.${at}.0`),
        '# example.com/shop/errors',
        './handler.go:27:15: undefined: newRouter',
      ),
  },
  {
    name: 'javac-in-a-reactor',
    tool: 'maven reactor',
    exit_status: 1,
    wanted: 'InvoiceService.java:[61,27] cannot find symbol',
    log: () =>
      lines(
        many(
          60,
          (at) => `[INFO] Downloading from central: https://repo.example/${name(at)}/${at}.pom`,
        ),
        '[INFO] --- compiler:3.11.0:compile (default-compile) @ billing ---',
        '[ERROR] COMPILATION ERROR : ',
        '[ERROR] /srv/billing/src/main/java/shop/InvoiceService.java:[61,27] cannot find symbol',
        '  symbol:   method getVatRate()',
        '  location: variable order of type shop.Order',
        '[INFO] 1 error',
        '[INFO] Reactor Summary for shop 1.4.0:',
        many(80, (at) => `[INFO] ${name(at)} ${'.'.repeat(30)} SKIPPED`),
        '[INFO] billing ............................ FAILURE [  4.1 s]',
        '[INFO] BUILD FAILURE',
        '[ERROR] Failed to execute goal compile (default-compile) on project billing: Compilation failure',
        '[ERROR] ',
        '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.',
        '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
        '[ERROR] ',
        '[ERROR] For more information about the errors and possible solutions, please read:',
        '[ERROR] [Help 1] http://wiki.example/MojoFailureException',
      ),
  },
  {
    name: 'kotlin-in-gradle',
    tool: 'gradle and kotlinc',
    exit_status: 1,
    wanted: 'Price.kt:19:31 Unresolved reference: roundedTo',
    log: () =>
      lines(
        many(110, (at) => `> Task :${name(at)}:compileKotlin UP-TO-DATE`),
        '> Task :pricing:compileKotlin FAILED',
        'e: file:///srv/pricing/src/main/kotlin/Price.kt:19:31 Unresolved reference: roundedTo',
        many(
          66,
          (at) =>
            `w: file:///srv/pricing/src/main/kotlin/${name(at)}.kt:4:9 Parameter 'error' is never used`,
        ),
        '',
        'FAILURE: Build failed with an exception.',
        '',
        '* What went wrong:',
        "Execution failed for task ':pricing:compileKotlin'.",
        '> A failure occurred while executing org.example.CompileWorkAction',
        '   > Compilation error. See log for more details',
        '',
        '* Try:',
        '> Run with --stacktrace option to get the stack trace.',
        '',
        'BUILD FAILED in 42s',
      ),
  },
  {
    name: 'scala-sbt',
    tool: 'sbt',
    exit_status: 1,
    wanted: 'Ledger.scala:33:12: type mismatch;',
    log: () =>
      lines(
        many(80, (at) => `[info] compiling ${at + 1} Scala sources to /srv/${name(at)}/target ...`),
        '[error] /srv/ledger/src/Ledger.scala:33:12: type mismatch;',
        '[error]  found   : String',
        '[error]  required: BigDecimal',
        '[error]     amount.trim',
        '[error]            ^',
        '[error] one error found',
        '[error] (ledger / Compile / compileIncremental) Compilation failed',
        '[error] Total time: 31 s, completed Mar 1, 2026',
      ),
  },
  {
    name: 'swift-build',
    tool: 'swift build',
    exit_status: 1,
    wanted: "Stock.swift:12:20: error: value of type 'Stock' has no member 'levle'",
    log: () =>
      lines(
        many(90, (at) => `[${at + 1}/240] Compiling Shop ${name(at)}.swift`),
        "/srv/Sources/Shop/Stock.swift:12:20: error: value of type 'Stock' has no member 'levle'",
        '        return self.levle',
        '               ~~~~ ^~~~~',
        many(62, (at) => `[${at + 91}/240] Emitting module ${name(at)}Errors`),
        'error: fatalError',
      ),
  },
  {
    name: 'dotnet-build',
    tool: 'dotnet build',
    exit_status: 1,
    wanted: "error CS1061: 'Order' does not contain a definition for 'Vat'",
    log: () =>
      lines(
        many(40, (at) => `  Shop.${name(at)} -> /srv/bin/Release/Shop.${name(at)}.dll`),
        "/srv/src/Tax.cs(41,30): error CS1061: 'Order' does not contain a definition for 'Vat' [/srv/src/Shop.csproj]",
        many(
          75,
          (at) =>
            `/srv/src/${name(at)}.cs(${at},5): warning CS0168: The variable 'error' is declared but never used [/srv/src/Shop.csproj]`,
        ),
        '',
        'Build FAILED.',
        '    75 Warning(s)',
        '    1 Error(s)',
      ),
  },
  {
    name: 'ghc',
    tool: 'cabal',
    exit_status: 1,
    wanted: "Couldn't match expected type ‘Integer’ with actual type ‘Text’",
    log: () =>
      lines(
        many(
          50,
          (at) =>
            `[${at + 1} of 51] Compiling Shop.${name(at)} ( src/${name(at)}.hs, dist/${name(at)}.o )`,
        ),
        '',
        'src/Vat.hs:20:9: error: [GHC-83865]',
        "    • Couldn't match expected type ‘Integer’ with actual type ‘Text’",
        '    • In the expression: rate country',
        '   |',
        '20 |   total + rate country',
        '   |           ^^^^^^^^^^^^',
        'Error: [Cabal-7125] Failed to build shop-0.4.0.',
      ),
  },
  {
    name: 'vite-bundle-minified',
    tool: 'a minified line at the end',
    exit_status: 1,
    wanted: 'Unexpected token, expected "," (1:48213)',
    log: () =>
      lines(
        many(30, (at) => `${dim('transforming')} ${name(at)}.js`),
        red('✗ Build failed in 3.2s'),
        `SyntaxError: Unexpected token, expected "," (1:48213) in vendor.js`,
        `${many(900, (at) => `function e${at}(t){return t.error?t.error(${at}):0}`).join(';')}`,
      ),
  },
  {
    name: 'webpack-one-long-line',
    tool: 'one line of nearly 1 MiB',
    exit_status: 1,
    wanted: 'ModuleNotFoundError: Module not found',
    log: () => {
      const chunk = many(14_000, (at) => `var m${at}=require("./${name(at)}");`).join('')
      return `${chunk}ModuleNotFoundError: Module not found: Can't resolve './basket'${chunk}`
    },
  },
  {
    name: 'german-gcc',
    tool: 'gcc in German',
    exit_status: 1,
    wanted: 'lager.c:17:5: Fehler: »bestand« nicht deklariert',
    log: () =>
      lines(
        many(30, (at) => `cc -c ${name(at)}.c`),
        'lager.c: In Funktion »main«:',
        'lager.c:17:5: Fehler: »bestand« nicht deklariert (erste Benutzung in dieser Funktion)',
        many(
          80,
          (at) =>
            `${name(at)}.c:${at}:2: Warnung: unbenutzte Variable »fehler« [-Wunused-variable]`,
        ),
      ),
  },
]
