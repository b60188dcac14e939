import type { MockServer } from '@buildwire/mock-server'

type Form = string | Record<string, string>
interface Options {
  headers?: Record<string, string>
  ip?: string
}

/** A visitor without a browser: keeps the cookie, reads forms, and follows no redirect. */
export class Visitor {
  #cookie = ''
  readonly #server: MockServer

  constructor(server: MockServer) {
    this.#server = server
  }

  async request(
    method: string,
    path: string,
    options: Options & { form?: Form } = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const body =
      typeof options.form === 'string'
        ? options.form
        : options.form && new URLSearchParams(options.form).toString()
    const request = new Request(path.startsWith('http') ? path : `${this.#server.webUrl}${path}`, {
      method,
      headers: {
        accept: 'text/html',
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const answer = await this.#server.fetch(
      request,
      options.ip === undefined ? undefined : { ip: options.ip },
    )
    const set = answer.headers.get('set-cookie')
    if (set !== null) this.#cookie = set.split(';', 1)[0] ?? ''
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  get = (path: string, options: Options = {}) => this.request('GET', path, options)
  post = (path: string, form: Form, options: Options = {}) =>
    this.request('POST', path, { form, ...options })

  async logIn(name: string): Promise<void> {
    const { text } = await this.get('/oauth/login')
    const user = new RegExp(`name="user" value="([^"]+)"[^>]*>(?:(?!<label).)*?${name}`, 's').exec(
      text,
    )?.[1]
    if (user === undefined) throw new Error(`the login page does not offer ${name}`)
    await this.post('/oauth/login', { user, return_to: '' })
  }
}

/** The value of a hidden field of a page. */
export function hidden(text: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
  if (value === undefined) throw new Error(`the page has no field ${name}`)
  return value
}
