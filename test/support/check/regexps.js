/**
 * Checks that the regular expressions in the sources take linear time (scslre). One that takes
 * longer, or that is constructed from parts, needs a comment on the lines before it that says what
 * bounds its input: `// Bound: a slug that the user typed.`
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** At most so many lines stand between the beginning of a comment and the expression. */
const commentLines = 3

function sources() {
  return ['sdk', 'cli', 'mock-server'].flatMap((name) => {
    const folder = join(root, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/u.test(file))
      .map((file) => join(folder, file))
  })
}

/** Says why the time of a regular expression is not linear; null if it is. */
function findSlowness({ pattern, flags }) {
  const { reports, parseError } = analyse({ source: pattern, flags })
  if (parseError !== undefined) return `cannot be read: ${parseError.message}`
  if (reports.length === 0) return null
  const isExponential = reports.some((report) => report.exponential)
  return `takes ${isExponential ? 'exponential' : 'quadratic or longer'} time`
}

function findSlowExpressions(path) {
  const text = readFileSync(path, 'utf8')
  const found = []
  const add = ({ start, end }, what) => {
    const before = text.slice(0, start).split('\n')
    if (before.slice(-1 - commentLines).some((line) => /^\s*\/\/ Bound: \S/u.test(line))) return
    found.push(`${relative(root, path)}:${before.length}: ${text.slice(start, end)} ${what}`)
  }
  const addConstructed = (node) => {
    if (node.callee.name === 'RegExp') add(node, 'is constructed')
  }
  new Visitor({
    Literal(node) {
      const slowness = 'regex' in node ? findSlowness(node.regex) : null
      if (slowness !== null) add(node, slowness)
    },
    NewExpression: addConstructed,
    CallExpression: addConstructed,
  }).visit(parseSync(path, text).program)
  return found
}

const found = sources().flatMap(findSlowExpressions)
if (found.length > 0) {
  console.log([...found, 'Rewrite it, or write what bounds its input: // Bound: …'].join('\n'))
  process.exitCode = 1
}
