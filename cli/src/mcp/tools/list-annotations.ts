import { annotations } from '../../views/records.js'
import { pageAnswer, shortRecord } from '../records.js'
import { tool } from '../tool.js'

/** `list_annotations` */
export const listAnnotations = tool({
  name: 'list_annotations',
  description: 'Notes on a build as text, the most important first.',
  effect: 'reads',
  operation: 'annotations.list',
  takes: ['page', 'per_page'],
  async call(params, { ci, signal }) {
    const page = await ci.annotations.list(params, { signal })
    return pageAnswer('annotations', page, params.page, (note) => shortRecord(annotations, note))
  },
})
