/** Tools that speak another language than English, as on machines with another locale. */

import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldRed,
  cap,
  composeDown,
  job,
  magenta,
  random,
  repeat,
  stamped,
  text,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'gcc-german',
    tool: 'gcc (German)',
    exit_status: 2,
    wanted: 'src/warenkorb.c:41:12: Fehler: »summe« nicht deklariert',
    log: () => {
      const r = random(251)
      return job(
        'make -j8',
        2,
        text(
          repeat(40, () => {
            const name = `${r.word()}_error`
            return `gcc -O2 -Wall -c src/${name}.c -o out/${name}.o`
          }),
          'src/warenkorb.c: In Funktion »addiere«:',
          `${bold('src/warenkorb.c:41:12:')} ${boldRed('Fehler: ')}»${bold('summe')}« nicht ` +
            'deklariert (erste Benutzung in dieser Funktion)',
          '   41 |     return summe;',
          `      |            ${boldRed('^~~~~')}`,
          'src/warenkorb.c:41:12: Anmerkung: jeder nicht deklarierte Bezeichner wird nur ' +
            'einmal für jede Funktion, in der er vorkommt, gemeldet',
          repeat(24, () =>
            text(
              `${bold(`src/${r.word()}.c:12:9:`)} ${magenta('Warnung: ')}Variable ` +
                '»fehler« wird nicht verwendet [-Wunused-variable]',
              '   12 |     int fehler;',
              `      |         ${magenta('^~~~~~')}`,
            ).trimEnd(),
          ),
          'make: *** [Makefile:12: out/warenkorb.o] Fehler 1',
          'make: *** Es wird auf noch nicht beendete Prozesse gewartet....',
        ),
      )
    },
  },
  {
    name: 'bash-german-unbound',
    tool: 'bash (German)',
    exit_status: 1,
    wanted: 'scripts/verteilen.sh: Zeile 41: DEPLOY_TOKEN ist nicht gesetzt.',
    log: () =>
      job(
        'scripts/verteilen.sh',
        1,
        text(
          'Verteile Version 2.4.1, bei einem Fehler wird abgebrochen',
          'scripts/verteilen.sh: Zeile 41: DEPLOY_TOKEN ist nicht gesetzt.',
          composeDown(['api', 'db']),
        ),
      ),
  },
  {
    name: 'gxx-french-undeclared',
    tool: 'g++ (French)',
    exit_status: 2,
    wanted: 'src/panier.cpp:27:9: erreur: « total » n’a pas été déclaré dans cette portée',
    log: () => {
      const r = random(252)
      return stamped(
        job(
          'cmake --build out',
          2,
          text(
            repeat(
              40,
              (i) =>
                `[${String(i + 1).padStart(3)}%] Building CXX object ` +
                `CMakeFiles/shop.dir/${r.word()}_error.cpp.o`,
            ),
            '/build/src/panier.cpp: Dans la fonction « int somme(const Panier&) »:',
            '/build/src/panier.cpp:27:9: erreur: « total » n’a pas été déclaré dans cette portée',
            '   27 |         total += article.prix;',
            '      |         ^~~~~',
            'make[2]: *** [CMakeFiles/shop.dir/build.make:76 : ' +
              'CMakeFiles/shop.dir/src/panier.cpp.o] Erreur 1',
            'make[1]: *** [CMakeFiles/Makefile2:83 : CMakeFiles/shop.dir/all] Erreur 2',
            'make: *** [Makefile:136 : all] Erreur 2',
          ),
        ),
        253,
        'agent',
      )
    },
  },
  {
    name: 'javac-japanese',
    tool: 'javac (Japanese)',
    exit_status: 1,
    wanted: 'Cart.java:41: エラー: シンボルを見つけられません',
    log: () => {
      const r = random(254)
      return job(
        './ci/compile-java',
        1,
        text(
          'src/shop/Cart.java:41: エラー: シンボルを見つけられません',
          '        return basket.totl();',
          '                     ^',
          '  シンボル:   メソッド totl()',
          '  場所: タイプBasketの変数 basket',
          repeat(
            30,
            () =>
              `src/shop/${cap(r.word())}Error.java:${r.int(9, 200)}: 警告: [deprecation] ` +
              'Errorsのfail()は推奨されません\n        Errors.fail();\n              ^',
          ),
          'エラー1個',
          '警告30個',
        ),
      )
    },
  },
  {
    name: 'gcc-chinese',
    tool: 'gcc (Chinese)',
    exit_status: 2,
    wanted: 'src/cart.c:41:12: 错误：‘total’未声明（在此函数内第一次使用）',
    log: () =>
      job(
        'make',
        2,
        text(
          repeat(30, (i) => `  CC      src/${random(i).word()}_error.o`),
          'src/cart.c: 在函数‘sum’中:',
          'src/cart.c:41:12: 错误：‘total’未声明（在此函数内第一次使用）',
          '   41 |     return total;',
          '      |            ^~~~~',
          'src/cart.c:41:12: 附注：每个未声明的标识符在其出现的函数内只报告一次',
          'make: *** [Makefile:12：out/cart.o] 错误 1',
        ),
      ),
  },
  {
    name: 'msbuild-chinese',
    tool: 'dotnet build (Chinese)',
    exit_status: 1,
    wanted: 'error CS0103: 当前上下文中不存在名称“totl”',
    log: () => {
      const r = random(255)
      const warnings = repeat(
        34,
        () =>
          `/build/src/${cap(r.word())}.cs(${r.int(9, 200)},13): warning CS0168: ` +
          '声明了变量“error”，但从未使用过 [/build/src/Shop.csproj]',
      )
      const error =
        '/build/src/Cart.cs(41,20): error CS0103: 当前上下文中不存在名称“totl” [/build/src/Shop.csproj]'
      return job(
        'dotnet build',
        1,
        text(
          '  正在确定要还原的项目…',
          warnings,
          error,
          '',
          '生成失败。',
          '',
          warnings,
          error,
          '    34 个警告',
          '    1 个错误',
          '',
          '已用时间 00:00:09.41',
        ),
      )
    },
  },
  {
    name: 'git-german-remote',
    tool: 'git (German)',
    exit_status: 128,
    wanted: "Schwerwiegend: Pfad 'konfiguration/preise.json' existiert nicht in 'v2.4.0'",
    log: () =>
      job(
        './scripts/vergleiche-preise',
        128,
        text(
          repeat(20, (i) => `Preisliste ${random(i).word()} verglichen, keine Fehler`),
          "Schwerwiegend: Pfad 'konfiguration/preise.json' existiert nicht in 'v2.4.0'",
          block(`
            Räume auf ...
            Verzeichnis /tmp/preise entfernt
          `),
        ),
      ),
  },
]
