import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Path } from '../fields/field.js'

/** A line and a column, both counted from 1. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

interface SyntaxIssue {
  readonly position: SourcePosition | null
  readonly message: string
}

/** A YAML 1.2 or JSON text as plain data, with the position of each value. */
export interface SourceDocument {
  readonly value: unknown
  readonly syntax: readonly SyntaxIssue[]
  /** The position of the value at `path`; for a missing value, of its nearest parent. */
  locate(path: Path): SourcePosition | null
}

const maxAliases = 100

/** Reports YAML features that seeds do not allow, because their meaning is not obvious. */
function findForbidden(
  doc: Document.Parsed,
  report: (at: number | undefined, message: string) => void,
): void {
  let aliases = 0
  visit(doc, {
    Alias(_, node, path) {
      aliases += 1
      const target = node.resolve(doc)
      if (!target) report(node.range?.[0], `there is no anchor ${node.source}`)
      else if (path.some((parent) => parent === target))
        report(node.range?.[0], `the alias ${node.source} contains itself`)
      else if (aliases === maxAliases + 1)
        report(node.range?.[0], `more than ${maxAliases} aliases`)
    },
    Pair(_, pair) {
      const { key } = pair
      const at = isNode(key) ? key.range?.[0] : undefined
      if (!isScalar(key)) report(at, 'a key must be text')
      else if (key.value === '<<' && key.type === 'PLAIN')
        report(at, 'merge keys are not read: write the keys out')
      else if (typeof key.value !== 'string')
        report(at, `the key ${String(key.source)} must be text: put it in quotes`)
    },
  })
}

/** Reads one document. YAML features that seeds do not allow are reported as syntax issues. */
export function parseSource(text: string): SourceDocument {
  const lines = new LineCounter()
  const doc = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    resolveKnownTags: false,
    merge: false,
  })
  const positionOf = (offset: number | undefined): SourcePosition | null => {
    if (offset === undefined) return null
    const { line, col } = lines.linePos(offset)
    return line === 0 ? { line: 1, column: 1 } : { line, column: col }
  }
  const syntax: SyntaxIssue[] = [...doc.errors, ...doc.warnings].map((error) => ({
    position: positionOf(error.pos[0]),
    message: error.code === 'MULTIPLE_DOCS' ? 'a seed is one document, not several' : error.message,
  }))
  if (doc.directives?.yaml.version !== '1.2')
    syntax.push({ position: { line: 1, column: 1 }, message: 'a seed is YAML 1.2' })
  if (syntax.length === 0)
    findForbidden(doc, (at, message) => syntax.push({ position: positionOf(at), message }))

  let value: unknown
  if (syntax.length === 0) {
    try {
      value = doc.toJS({ maxAliasCount: maxAliases })
    } catch (error) {
      // The library also counts aliases inside aliases, which `findForbidden` cannot.
      syntax.push({
        position: null,
        message: error instanceof Error ? error.message : String(error),
      })
    }
  }

  return {
    value,
    syntax,
    locate(path) {
      for (let depth = path.length; depth >= 0; depth--) {
        const node = doc.getIn(path.slice(0, depth), true)
        if (isNode(node)) return positionOf(node.range?.[0])
      }
      return null
    },
  }
}
