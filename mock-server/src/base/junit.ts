/** A case of a suite. It has passed if it has neither `failure` nor `skipped`. */
export interface JunitCase {
  readonly classname: string
  readonly name: string
  readonly durationMs: number
  readonly failure?: { readonly message: string; readonly text: string; readonly type?: string }
  readonly skipped?: string
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes a text; XML 1.0 cannot represent most control characters. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner = '',
): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`)
  return `<${name}${pairs.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`
}

function totals(cases: readonly JunitCase[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
  }
}

export function junit(
  name: string,
  suites: readonly { readonly name: string; readonly cases: readonly JunitCase[] }[],
) {
  const parts = suites.map((suite) => {
    const cases = suite.cases.map(({ classname, name, durationMs, failure, skipped }) => {
      const { text = '', ...facts } = failure ?? {}
      const failed = failure === undefined ? '' : element('failure', facts, xml(text))
      const inner = skipped === undefined ? failed : element('skipped', { message: skipped })
      return `    ${element('testcase', { classname, name, time: (durationMs / 1000).toFixed(3) }, inner)}\n`
    })
    return `  ${element('testsuite', { name: suite.name, ...totals(suite.cases) }, `\n${cases.join('')}  `)}\n`
  })
  const all = suites.flatMap(({ cases }) => cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...totals(all) }, `\n${parts.join('')}`)}\n`
}
