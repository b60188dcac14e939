import { ARTIFACT_STATES } from '@buildwire/sdk/contract'
import { annotationStyles } from '../domain/attachments.js'
import { optional, required, where } from '../fields/composites.js'
import { integer, oneOf, type TextRules, text } from '../fields/scalars.js'
import { artifactPath, mimeType } from '../records/steps.js'

/** The size limit of one artifact, in bytes. */
const maxArtifactBytes = 1_048_576

function bytesIn(encoding: 'utf8' | 'base64', rules: TextRules) {
  return where(
    text(rules),
    (content) => Buffer.byteLength(content, encoding) <= maxArtifactBytes,
    `must have at most ${maxArtifactBytes} bytes`,
  )
}

export const artifactTable = {
  path: artifactPath,
  content: optional(bytesIn('utf8', { max: maxArtifactBytes }), '', 'The content, as text.'),
  base64: optional(
    bytesIn('base64', {
      max: 1_398_104,
      pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      shape: 'base64',
    }),
    undefined,
    'The content, in base64, in place of `content`.',
  ),
  mime_type: mimeType,
  state: optional(oneOf(...ARTIFACT_STATES), 'finished'),
}

export const annotationTable = {
  context: optional(
    text({ min: 1, max: 1000, pattern: /\S/, shape: 'a name' }),
    'default',
    'Natural key within the build.',
  ),
  style: optional(oneOf(...annotationStyles), 'info'),
  priority: optional(integer(1, 10), 3),
  body: required(
    text({ min: 1, max: 65_536, pattern: /\S/, shape: 'a text' }),
    'Markdown or HTML.',
  ),
}
