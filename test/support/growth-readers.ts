import { htmlText, InvalidResponseError, parseLinkHeader, parseTimestamp } from '@buildwire/sdk'
import { dropEscapes, logLines } from '@buildwire/sdk/contract'
import { reduceRemote } from '../../cli/src/context/git/git.js'
import { emojify } from '../../cli/src/io/emoji.js'
import { safeUrl } from '../../cli/src/io/hyperlink.js'
import { dropControls, tsvLine } from '../../cli/src/io/machine.js'
import { commandLine, firstLine, say, whole } from '../../cli/src/io/printable.js'
import { createRedactor, maskBody } from '../../cli/src/io/redact.js'
import { cells, shorten, wrap } from '../../cli/src/io/width.js'
import { cleanLines } from '../../cli/src/logs/escapes.js'
import { LineBuffer } from '../../cli/src/logs/line-buffer.js'
import { cleaned, fitted } from '../../cli/src/mcp/answer.js'
import { lineCollector } from '../../cli/src/mcp/log-lines.js'
import { searchCollector } from '../../cli/src/mcp/log-search.js'
import { standIns } from '../../cli/src/server/stand-ins.js'
import { baseName } from '../../cli/src/views/job.js'
import { isTameJson } from '../../mock-server/src/domain/budget.js'
import { readTarget } from '../../mock-server/src/http/target.js'
import { annotationView, loadSanitizer } from '../../mock-server/src/pages/attachments.js'
import { logView } from '../../mock-server/src/pages/log.js'
import { presentAnnotation } from '../../mock-server/src/present/present-attachment.js'
import type { AnnotationRecord } from '../../mock-server/src/records/records.js'
import { serverText } from '../../sdk/src/errors/redact.js'
import { resetWait, retryAfter } from '../../sdk/src/http/retry.js'
import { excerpt } from '../../sdk/src/summary/log-excerpt.js'
import { readLog } from '../../sdk/src/summary/read-log.js'

const sanitizeHtml = await loadSanitizer()

/** A function that reads text which another program or person wrote. */
export interface TextReader {
  read(text: string): unknown
  /** The longest text that reaches it, in characters; without it, as long as memory lasts. */
  readonly most?: number
}

const redactor = createRedactor()
redactor.add('example-secret')

/** A server accepts an annotation of so many characters. */
const annotationCharacters = 65_536
/** Node accepts headers of 16 KiB, and so do clients and servers here. */
const headerCharacters = 16_384

function annotation(body: string): AnnotationRecord {
  return { body, context: 'growth', style: 'error' } as AnnotationRecord
}

/** Passes bytes through a line buffer in pieces, as a slow server would send them. */
function inPieces(text: string): void {
  const buffer = new LineBuffer()
  const bytes = Buffer.from(text)
  const size = Math.max(64, Math.ceil(bytes.length / 1024))
  for (let at = 0; at < bytes.length; at += size) buffer.add(bytes.subarray(at, at + size))
  buffer.rest()
}

function linkHeader(text: string): void {
  try {
    parseLinkHeader(text)
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error
  }
}

/** The lines of a log as `read_job_log` shows and searches them. */
function collectLines(text: string): void {
  const clean = (line: string) => cleaned(line, redactor)
  const search = { texts: ['error', 'no such text', '\r\r'], around: 2 }
  for (const collector of [lineCollector(clean, 8_000), searchCollector(search, clean, 8_000)]) {
    for (const [at, raw] of text.split('\n').entries())
      collector.add({ raw, start: at, end: at + 1, isOpen: false, beganBefore: false })
    collector.record()
  }
}

/** The readers of foreign text, each by the name of its function. */
export const readers: Readonly<Record<string, TextReader>> = {
  logLines: {
    read: (text) => Array.from(logLines(text), (line) => [line.text, ...line.earlier()]),
  },
  'logLines, colors': {
    read: (text) => Array.from(logLines(text, 'colors'), (line) => [line.text, ...line.earlier()]),
  },
  dropEscapes: { read: (text) => dropEscapes(text) },
  htmlText: { read: htmlText },
  excerpt: {
    read: (text) => excerpt(readLog({ text, offset: 0 }), { lines: 60, bytes: 8_000 }),
  },
  serverText: { read: (text) => serverText(text, ['example-secret', 'short']) },
  parseLinkHeader: { read: linkHeader, most: headerCharacters },
  retryAfter: { read: (text) => retryAfter(text, text, 0), most: headerCharacters },
  resetWait: { read: (text) => resetWait(text, text, 0), most: headerCharacters },
  parseTimestamp: { read: parseTimestamp },

  logCollectors: { read: collectLines },
  'cleanLines, colored': { read: (text) => cleanLines(text, 'colored') },
  'cleanLines, piped': { read: (text) => cleanLines(text, 'piped') },
  LineBuffer: { read: inPieces },
  say: { read: (text) => say`${text}` },
  whole: { read: whole },
  firstLine: { read: firstLine },
  commandLine: { read: (text) => commandLine([text]) },
  dropControls: { read: dropControls },
  tsvLine: { read: (text) => tsvLine([text]) },
  cells: { read: (text) => cells(say`${text}`) },
  shorten: { read: (text) => shorten(text, 40) },
  wrap: { read: (text) => wrap(text, 80) },
  'wrap, words stay whole': { read: (text) => wrap(text, 80, null) },
  emojify: { read: (text) => emojify(text, false) },
  safeUrl: { read: safeUrl },
  redact: { read: redactor.redact },
  maskBody: { read: maskBody },
  cleaned: { read: (text) => cleaned({ text }, redactor) },
  fitted: { read: (text) => fitted({ record: { text, list: [text, text] } }, 2_000) },
  baseName: { read: (name) => baseName({ id: 'job', type: 'script', name }) },
  reduceRemote: { read: reduceRemote },
  standIns: { read: (text) => standIns().words(text) },

  logView: { read: (text) => String(logView(text)) },
  presentAnnotation: {
    read: (text) => presentAnnotation(annotation(text)),
    most: annotationCharacters,
  },
  annotationView: {
    read: (text) => String(annotationView(annotation(text), sanitizeHtml)),
    most: annotationCharacters,
  },
  isTameJson: { read: isTameJson },
  readTarget: { read: (text) => readTarget(`http://server.example/${text}`), most: 65_536 },
}
