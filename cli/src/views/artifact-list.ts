import type { Artifact } from '@buildwire/sdk/contract'
import type { RecordColumn } from './view.js'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size as people say it: `180 B`, `12.4 kB`. */
function sizeText(bytes: number): string {
  const at = Math.min(Math.max(Math.floor(Math.log10(bytes) / 3), 0), UNITS.length - 1)
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${UNITS[at]}`
}

/** The columns of a list of artifacts; the state shows where there is no content. */
export const artifactColumns: readonly RecordColumn<Artifact>[] = [
  { title: 'PATH', flexible: true, cell: ({ path, id }) => ({ text: path ?? id }) },
  {
    title: 'SIZE',
    align: 'right',
    cell: ({ file_size }) => ({ text: typeof file_size === 'number' ? sizeText(file_size) : '' }),
  },
  { title: 'TYPE', max: 24, drop: 2, cell: ({ mime_type }) => ({ text: mime_type ?? '', style: 'dim' }) },
  {
    title: 'STATE',
    drop: 3,
    cell: ({ state = '' }) => ({ text: state === 'finished' ? '' : state, style: 'yellow' }),
  },
  { title: 'ID', drop: 1, cell: ({ id }) => ({ text: id, style: 'dim' }) },
]
