/** A captcha service on this machine. An answer is good once, as at the real one. */
export interface CaptchaService extends AsyncDisposable {
  readonly host: string
  /** What it was asked, in order. */
  readonly asked: Record<string, string>[]
  /** What it answers from now on, instead of a verdict. */
  failing: (() => Response) | null
}

export function serveCaptcha({ right }: { right: string }): CaptchaService {
  const used = new Set<string>()
  const asked: Record<string, string>[] = []
  const service = {
    asked,
    failing: null as (() => Response) | null,
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/recaptcha/api/siteverify')
        return new Response('', { status: 404 })
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      asked.push(form)
      const { response = '' } = form
      const success = response === right && !used.has(response)
      used.add(response)
      return service.failing?.() ?? Response.json({ success })
    },
  })
  return Object.assign(service, { host: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) })
}
