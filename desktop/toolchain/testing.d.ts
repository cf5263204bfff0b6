/**
 * What a test beside a file may use of Node: its runner and its assertions. All other code runs in a page, where there
 * is neither; `policy` refuses them there.
 */
declare module 'node:test' {
  type Body = (context: { readonly name: string }) => void | Promise<void>
  interface Test {
    (name: string, body: Body): Promise<void>
    skip(name: string, body?: Body): Promise<void>
    todo(name: string, body?: Body): Promise<void>
  }
  export const test: Test
  export const it: Test
  export function describe(name: string, body: () => void): Promise<void>
  export function before(body: () => void | Promise<void>): void
  export function after(body: () => void | Promise<void>): void
  export function beforeEach(body: () => void | Promise<void>): void
  export function afterEach(body: () => void | Promise<void>): void
  export default test
}

declare module 'node:assert/strict' {
  interface Assert {
    (value: unknown, message?: string): asserts value
    ok(value: unknown, message?: string): asserts value
    equal<Value>(actual: unknown, expected: Value, message?: string): asserts actual is Value
    notEqual(actual: unknown, expected: unknown, message?: string): void
    deepEqual(actual: unknown, expected: unknown, message?: string): void
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void
    match(value: string, form: RegExp, message?: string): void
    doesNotMatch(value: string, form: RegExp, message?: string): void
    throws(work: () => unknown, expected?: RegExp | object, message?: string): void
    doesNotThrow(work: () => unknown, message?: string): void
    rejects(work: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp | object): Promise<void>
    fail(message?: string): never
  }
  const assert: Assert
  export default assert
}
