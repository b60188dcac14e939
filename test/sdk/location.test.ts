import { expect, test } from 'vitest'
import { locationIn } from '../../sdk/src/summary/location.js'
import { readLog } from '../../sdk/src/summary/read-log.js'

test.each([
  ['src/cart.ts:41:26 - error TS2322: wrong', { file: 'src/cart.ts', line: 41, column: 26 }],
  ['src\\cart.cs(12,5): error CS1002: ; expected', { file: 'src\\cart.cs', line: 12, column: 5 }],
  ['C:\\ci\\cart.cpp(12): error C2065: x', { file: 'C:\\ci\\cart.cpp', line: 12, column: null }],
  ['Error: no\n    at file:///ci/a.mjs:3:9', { file: '/ci/a.mjs', line: 3, column: 9 }],
  [
    'Error: no\n    at f (/ci/node_modules/x/a.js:1:2)\n    at g (node:internal/a.js:1:1)\n    at h (./b.js:3:4)',
    { file: 'b.js', line: 3, column: 4 },
  ],
  [
    '  File "/ci/shop/cart.py", line 7, in total\nValueError: no total',
    { file: '/ci/shop/cart.py', line: 7, column: null },
  ],
  [
    '--- FAIL: TestCart\n    cart_test.go:8: want 3',
    { file: 'cart_test.go', line: 8, column: null },
  ],
  ['error[E0308]: no\n  --> src/main.rs:3:5', { file: 'src/main.rs', line: 3, column: 5 }],
  ['PHP Fatal error: no in src/a.php on line 9', { file: 'src/a.php', line: 9, column: null }],
  ['[ERROR] /ci/A.java:[4,17] cannot find symbol', { file: '/ci/A.java', line: 4, column: 17 }],
  ['Makefile:12: *** missing separator. Stop. Error', { file: 'Makefile', line: 12, column: null }],
  ['Error: connect ECONNREFUSED https://ci.example.test/a.js:80', null],
  ['Error: connect to db.example.test:5432 failed', null],
  ['all is well\nsrc/a.ts:1:2', null],
])('the place in the code: %j', (text, expected) => {
  expect(locationIn(readLog({ text, offset: 0 }))).toEqual(expected)
})
