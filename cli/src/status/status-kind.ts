import { commandLine } from '../io/printable.js'
import type { RecordKind } from '../views/view.js'
import type { StatusRecord } from './status-record.js'

/** The lines of `ci status`. */
export const statuses: RecordKind<StatusRecord> = {
  plural: 'builds',
  schema: 'Build',
  columns: [
    { name: 'group', value: ({ group }) => group },
    { name: 'state', value: ({ state }) => state },
    { name: 'build', value: ({ build }) => build },
    { name: 'branch', value: ({ branch }) => branch },
    { name: 'created_at', value: ({ created_at }) => created_at },
    { name: 'message', value: ({ message }) => message },
    { name: 'detail', value: ({ detail }) => detail },
    { name: 'command', value: ({ command }) => command && String(commandLine(command)) },
  ],
  id: ({ build }) => build,
  table: async (records, view) => (await import('./status-table.js')).statusTable(records, view),
  detail: async (record, view) => (await import('./status-table.js')).statusTable([record], view),
}
