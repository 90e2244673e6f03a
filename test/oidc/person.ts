/** Somebody with a browser at a provider of the tests: cookies are kept, forms are sent, redirects are followed. */
export interface Person {
  /** Signs in at this authorization address, or goes through if signed in already. @returns the address of the callback */
  signIn(address: string, login: string): Promise<string>
  /** Refuses. @returns the address of the callback */
  cancel(address: string): Promise<string>
  /** Ends the session at this end-session address. @returns where the provider leads */
  signOut(address: string): Promise<string>
  asksForPassword(address: string): Promise<boolean>
}

interface Page {
  readonly address: string
  readonly text: string
}

const MOST_STEPS = 20

export function createPerson(): Person {
  const cookies = new Map<string, string>()

  /** Until a page, or another site. */
  async function go(address: string, init: RequestInit = {}): Promise<Page> {
    const { origin } = new URL(address)
    let [next, how] = [address, init]
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const headers = new Headers(how.headers)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(next, { ...how, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) return { address: next, text: await response.text() }
      next = new URL(location, next).href
      if (new URL(next).origin !== origin) return { address: next, text: '' }
      how = {}
    }
    throw new Error(`${address} leads nowhere`)
  }

  const actionOf = ({ text }: Page): string => /action="([^"]+)"/.exec(text)?.[1] ?? ''
  const post = (action: string, form: Record<string, string>): Promise<Page> =>
    go(action, {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  return {
    async signIn(address, login) {
      const page = await go(address)
      if (page.text === '') return page.address
      return (await post(actionOf(page), { prompt: 'login', login, password: 'any' })).address
    },
    async cancel(address) {
      const { text } = await go(address)
      return (await go(/href="([^"]+abort)"/.exec(text)?.[1] ?? '')).address
    },
    async signOut(address) {
      const page = await go(address)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
      return (await post(actionOf(page), { xsrf, logout: 'yes' })).address
    },
    async asksForPassword(address) {
      return (await go(address)).text.includes('name="password"')
    },
  }
}
