// Makes dist/demo.json of demo.yaml: a start reads JSON in a moment, YAML in many.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseSource } from '../dist/seed/document.js'

const { value, syntax } = parseSource(
  readFileSync(new URL('../demo.yaml', import.meta.url), 'utf8'),
)
if (syntax.length > 0) throw new Error(`demo.yaml: ${JSON.stringify(syntax)}`)
writeFileSync(new URL('../dist/demo.json', import.meta.url), `${JSON.stringify(value)}\n`)
