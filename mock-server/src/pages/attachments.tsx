/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import { once } from '../base/once.js'
import { artifactLink } from '../present/artifact-link.js'
import { presentAnnotation } from '../present/present-attachment.js'
import type { AnnotationRecord, ArtifactRecord } from '../records/records.js'
import { cleanHtml } from './clean-html.js'
import type { PageRequest } from './page-context.js'
import { Links } from './record.js'

/** Records never change, so each is cleaned once. */
const cleaned = new WeakMap<AnnotationRecord, string>()
const tones: Readonly<Record<string, string>> = { error: 'bad', success: 'good', warning: 'warn' }

/** What a job wrote on the build, in its own words. */
export const AnnotationView = (annotation: AnnotationRecord) => (
  <section
    class={`notice annotation ${tones[annotation.style ?? ''] ?? ''}`}
    aria-label={`Annotation ${annotation.context}`}
  >
    {raw(once(cleaned, annotation, () => cleanHtml(presentAnnotation(annotation).body_html ?? '')))}
  </section>
)

const size = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

interface ArtifactsProps {
  readonly c: PageRequest
  readonly artifacts: Iterable<ArtifactRecord>
}

/** The files that jobs left behind; nothing where there are none. A link holds for a minute. */
export function Artifacts({ c: { env }, artifacts }: ArtifactsProps) {
  const now = env.sandbox.clock.now()
  const links = [...artifacts].map((artifact) => ({
    href: artifact.state === 'finished' ? artifactLink(env.sandbox, artifact, now) : '#',
    text: artifact.path,
    aside: artifact.state === 'finished' ? size(artifact.file_size) : artifact.state,
  }))
  return links.length === 0 ? null : <Links title="Artifacts" none="" links={links} />
}
