import type { RecordColumn, RecordKind, TsvColumn } from './view.js'

export function fieldColumns<T>(...names: (keyof T & string)[]): TsvColumn<T>[] {
  return names.map((name) => ({ name, value: (record) => record[name] }))
}

/** Makes the table of a kind from its columns; both are loaded only for a terminal. */
export function tableOf<T>(columns: () => Promise<readonly RecordColumn<T>[]>): RecordKind<T>['table'] {
  return async (records, view) => (await import('./record-table.js')).recordTable(records, await columns(), view)
}
