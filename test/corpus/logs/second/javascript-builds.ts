import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldRed,
  cyan,
  ESC,
  gray,
  green,
  job,
  random,
  red,
  repeat,
  terminal,
  text,
  yellow,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'tsc-in-turbo-continue',
    tool: 'turbo / tsc',
    exit_status: 1,
    wanted: "src/cart.ts(41,7): error TS2322: Type 'string' is not assignable to type 'number'",
    log: () => {
      const r = random(131)
      const other = (count: number) =>
        repeat(
          count,
          () =>
            `@shop/${r.word()}:build: ${cyan('vite')} ` +
            `${green(`dist/assets/${r.word()}-error-${r.hex(8)}.js`)}  ${r.int(2, 400)}.10 kB`,
        )
      return job(
        'pnpm turbo build --continue',
        1,
        text(
          '• Packages in scope: @shop/cart, @shop/mail, @shop/web, 21 more',
          '• Running build in 24 packages',
          other(40),
          `@shop/cart:build: ${gray('$ tsc -p .')}`,
          "@shop/cart:build: src/cart.ts(41,7): error TS2322: Type 'string' is not assignable " +
            "to type 'number'.",
          '@shop/cart:build:  ELIFECYCLE  Command failed with exit code 2.',
          '@shop/cart:build: ERROR: command finished with error: command ' +
            '(/build/packages/cart) pnpm run build exited (2)',
          other(120),
          '',
          ` ${bold('Tasks:')}    23 successful, 24 total`,
          `${bold('Cached:')}    0 cached, 24 total`,
          `  ${bold('Time:')}    1m41.2s`,
          `${bold('Failed:')}    @shop/cart#build`,
          '',
          ' ERROR  run failed: command  exited (2)',
        ),
      )
    },
  },
  {
    name: 'tsc-pretty-first-of-many',
    tool: 'tsc --pretty',
    exit_status: 2,
    wanted:
      'src/model/money.ts:12:14 - error TS2305: Module \'"./currency"\' has no exported ' +
      "member 'Cents'",
    log: () => {
      const r = random(132)
      const tail = (file: string, line: number, code: string, rest: string) =>
        `${ESC}[96m${file}${ESC}[0m:${yellow(String(line))}:${yellow('14')} - ` +
        `${ESC}[91merror${ESC}[0m${gray(` ${code}: `)}${rest}`
      const follow = repeat(24, () => {
        const name = r.word()
        const line = r.int(10, 99)
        return text(
          tail(
            `src/pages/${name}.ts`,
            line,
            'TS7006',
            `Parameter '${name}' implicitly has an 'any' type.`,
          ),
          '',
          `${ESC}[7m${line}${ESC}[0m   const sum = ${name}s.map((${name}) => ${name}.total)`,
          `${ESC}[7m  ${ESC}[0m ${ESC}[91m${' '.repeat(20)}${'~'.repeat(name.length)}${ESC}[0m`,
        )
      })
      return job(
        'npx tsc --noEmit --pretty',
        2,
        text(
          tail(
            'src/model/money.ts',
            12,
            'TS2305',
            `Module '"./currency"' has no exported member 'Cents'.`,
          ),
          '',
          `${ESC}[7m12${ESC}[0m import type { Cents } from './currency'`,
          `${ESC}[7m  ${ESC}[0m ${ESC}[91m              ~~~~~${ESC}[0m`,
          '',
          follow,
          '',
          'Found 25 errors in 25 files.',
        ),
      )
    },
  },
  {
    name: 'webpack-cannot-resolve',
    tool: 'webpack',
    exit_status: 1,
    wanted: "Module not found: Error: Can't resolve './totals' in '/build/src/cart'",
    log: () => {
      const r = random(133)
      return job(
        'npx webpack --mode production',
        1,
        text(
          repeat(
            50,
            () =>
              `asset ${green(`${r.word()}-error.${r.hex(8)}.js`)} ${r.int(3, 200)} KiB ` +
              `${yellow('[emitted]')} [immutable] [minimized] (name: ${r.word()})`,
          ),
          'orphan modules 1.4 MiB [orphan] 912 modules',
          '',
          `${boldRed('ERROR')} in ${bold('./src/cart/index.tsx')} ${green('3:0-34')}`,
          bold(`Module not found: ${red("Error: Can't resolve './totals' in '/build/src/cart'")}`),
          "resolve './totals' in '/build/src/cart'",
          '  using description file: /build/package.json (relative path: ./src/cart)',
          "    Field 'browser' doesn't contain a valid alias configuration",
          ['', '.tsx', '.ts', '.js'].map(
            (ext) => `      /build/src/cart/totals${ext} doesn't exist`,
          ),
          ' @ ./src/main.tsx 9:0-30 41:12-16',
          '',
          `${yellow('WARNING')} in asset size limit: The following asset(s) exceed the ` +
            'recommended size limit (244 KiB).',
          'This can impact web performance.',
          repeat(24, () => `  ${r.word()}.${r.hex(8)}.js (${r.int(250, 900)} KiB)`),
          '',
          `webpack 5.91.0 compiled with ${boldRed('1 error')} and ${yellow('1 warning')} in ` +
            '41203 ms',
        ),
      )
    },
  },
  {
    name: 'vite-not-exported',
    tool: 'vite build',
    exit_status: 1,
    wanted: '"createBasket" is not exported by "src/basket.ts", imported by "src/main.ts"',
    log: () =>
      terminal(
        job(
          'npm run build',
          1,
          text(
            '',
            '> web@1.0.0 build',
            '> vite build',
            '',
            `${cyan('vite v5.2.8 ')}${green('building for production...')}`,
            repeat(
              60,
              (i) =>
                `\r${ESC}[2K${ESC}[1Gtransforming (${i * 7 + 3}) src/errors/${random(i).word()}.ts`,
            ).join(''),
            `${green('✓')} 423 modules transformed.`,
            red('x Build failed in 2.41s'),
            red('error during build:'),
            red(
              'src/main.ts (3:9): "createBasket" is not exported by "src/basket.ts", imported by ' +
                '"src/main.ts".',
            ),
            'file: /build/src/main.ts:3:9',
            '',
            "1: import './style.css'",
            "2: import { report } from './error'",
            "3: import { createBasket } from './basket'",
            '            ^',
            '    at getRollupError ' +
              '(file:///build/node_modules/rollup/dist/es/shared/parseAst.js:392:41)',
            '    at Module.error (file:///build/node_modules/rollup/dist/es/shared/node-entry.js:13900:16)',
          ),
        ),
      ),
  },
  {
    name: 'next-prerender-fetch',
    tool: 'next build',
    exit_status: 1,
    wanted: 'getaddrinfo ENOTFOUND cms.example.test',
    log: () => {
      const r = random(134)
      return job(
        'npx next build',
        1,
        text(
          '   ▲ Next.js 14.2.3',
          '',
          '   Creating an optimized production build ...',
          ' ✓ Compiled successfully',
          '   Linting and checking validity of types ...',
          './src/pages/_error.tsx',
          '12:9  Warning: Using `<img>` could result in slower LCP.  @next/next/no-img-element',
          '   Collecting page data ...',
          repeat(20, (i) => `   Generating static pages (${i * 9}/188) ${'[='.padEnd(6)}]`),
          'Error occurred prerendering page "/journal/spring". Read more: ' +
            'https://next.example.org/prerender-error',
          'TypeError: fetch failed',
          '    at node:internal/deps/undici/undici:12618:11',
          '    at async l (/build/.next/server/pages/journal/[slug].js:1:2412) {',
          '  cause: Error: getaddrinfo ENOTFOUND cms.example.test',
          '      at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:107:26) {',
          '    errno: -3008,',
          "    code: 'ENOTFOUND',",
          "    syscall: 'getaddrinfo',",
          '  }',
          '}',
          repeat(8, () => `   Generating static pages (${r.int(180, 188)}/188)`),
          '',
          '> Export encountered errors on following paths:',
          '\t/journal/[slug]: /journal/spring',
        ),
      )
    },
  },
  {
    name: 'minifier-on-one-long-line',
    tool: 'minified bundle / node',
    exit_status: 1,
    wanted: "SyntaxError: Unexpected token '??='",
    log: () => {
      const r = random(135)
      const minified = repeat(
        5200,
        () => `function ${r.hex(3)}(e,t){throw new Error("${r.word()} failed")}`,
      ).join(';')
      return job(
        'node dist/server.min.js --check',
        1,
        text(
          '/build/dist/server.min.js:1',
          minified,
          `${' '.repeat(180)}^^^`,
          '',
          "SyntaxError: Unexpected token '??='",
          '    at wrapSafe (internal/modules/cjs/loader.js:1029:16)',
          '    at Module._compile (internal/modules/cjs/loader.js:1078:27)',
          '    at internal/main/run_main_module.js:17:47',
        ),
      )
    },
  },
  {
    name: 'bundle-over-budget',
    tool: 'bundle size budget',
    exit_status: 1,
    wanted: 'dist/app.js: 251.3KB > maxSize 250KB',
    log: () => {
      const r = random(136)
      return text(
        repeat(
          30,
          () =>
            `${green(' PASS ')} ./dist/${r.word()}-error.js: ${r.int(3, 90)}.2KB < maxSize ` +
            '100KB (gzip)',
        ),
        `${red(' FAIL ')} ./dist/app.js: 251.3KB > maxSize 250KB (gzip)`,
        repeat(
          70,
          () =>
            `${green(' PASS ')} ./dist/${r.word()}-failed.css: ${r.int(3, 20)}.2KB < maxSize ` +
            '30KB (gzip)',
        ),
      )
    },
  },
  {
    name: 'generated-file-diff',
    tool: 'git diff --exit-code',
    exit_status: 1,
    wanted: 'diff --git a/api/openapi.gen.ts b/api/openapi.gen.ts',
    log: () =>
      job(
        'make generate && git diff --exit-code',
        1,
        text(
          repeat(16, (i) => `generated api/errors/${random(i).word()}.gen.ts`),
          block(`
            ${bold('diff --git a/api/openapi.gen.ts b/api/openapi.gen.ts')}
            ${bold('index 3f1c2aa..91b70de 100644')}
            ${bold('--- a/api/openapi.gen.ts')}
            ${bold('+++ b/api/openapi.gen.ts')}
            ${cyan('@@ -41,7 +41,7 @@')} export interface ErrorBody {
               /** The reason of the failure. */
               reason: string
            ${red('-  retry_after: string')}
            ${green('+  retry_after: number')}
             }
          `),
        ),
      ),
  },
]
