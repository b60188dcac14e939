import type {
  ChangeLabelsParams,
  FindTestParams,
  ListTestsParams,
  TestPath,
  TestRecord,
} from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'

/** Test records of a suite and their labels. */
export class Tests extends Caller {
  /**
   * Test records of a suite, ordered by scope and name. `label` keeps those with any of the labels;
   * `labels`, which a service may ignore, those that meet each of its conditions. Scope
   * `read_suites`.
   *
   * @throws `not_found` when there is no such suite or your user cannot see it; `config` for an
   * empty list of labels.
   * @example
   * ```ts
   * const flaky = await ci.tests.list({ org_slug: 'acme', suite_slug: 'unit', label: 'flaky' }).toArray()
   * ```
   */
  list(params: ListTestsParams, options?: ListOptions): PagePromise<TestRecord> {
    return this.pages('tests.list', params, options)
  }

  /**
   * One test record, by its UUID. Scope `read_suites`.
   *
   * @throws `not_found`, `unauthorized`, `insufficient_scope`.
   */
  get(params: TestPath, options?: CallOptions): ApiPromise<TestRecord> {
    return this.call('tests.get', params, options)
  }

  /**
   * The test record with exactly this scope and name, which is how to learn its UUID. It only
   * reads, so it is repeated like any read. Scope `read_suites`.
   *
   * @throws `not_found` when no test has that scope and name.
   * @example
   * ```ts
   * const test = await ci.tests.find({ org_slug: 'acme', suite_slug: 'unit', scope: 'Cart', name: 'adds an item' })
   * console.log(test.id, test.location)
   * ```
   */
  find(params: FindTestParams, options?: CallOptions): ApiPromise<TestRecord> {
    return this.call('tests.find', params, options)
  }

  /**
   * Adds labels to a test record or removes them, and returns the record with its labels. Adding
   * what is there and removing what is not changes nothing, so the call is repeated after a lost
   * answer. Scope `write_suites`.
   *
   * @throws {@link UnprocessableError} `unprocessable` for a blank label.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', suite_slug: 'unit', test_id: '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90' }
   * const { labels } = await ci.tests.changeLabels({ ...path, operator: 'add', labels: ['flaky'] })
   * ```
   */
  changeLabels(params: ChangeLabelsParams, options?: CallOptions): ApiPromise<TestRecord> {
    return this.call('tests.changeLabels', params, options)
  }
}
