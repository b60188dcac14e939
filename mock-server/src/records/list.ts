/** What the readers of a list use: an array is one, and so is a list that shares its parts with an older version. */
export interface List<T> extends Iterable<T> {
  readonly length: number
  at(index: number): T | undefined
  map<R>(each: (item: T, index: number) => R): R[]
  flatMap<R>(each: (item: T, index: number) => R | readonly R[]): R[]
  filter(test: (item: T, index: number) => unknown): T[]
  find(test: (item: T, index: number) => unknown): T | undefined
  some(test: (item: T, index: number) => unknown): boolean
  every(test: (item: T, index: number) => unknown): boolean
}
