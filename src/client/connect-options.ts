/** Where a server is, and who asks. */
export interface ConnectOptions {
  /** The address of the server with its base path, such as `https://files.example.org`; in a page of the server itself, its base path. */
  address: string
  /** An API token or the token of a sign-in, or what returns it now. Without one, calls are those of a visitor. */
  token?: string | (() => string | Promise<string>)
  /** A `Cookie` header for programs. Browsers send their cookies to their own origin by themselves; cookies alone suffice for reading only. */
  cookie?: string
  /** Instead of the runtime's own, for example through a proxy. */
  fetch?: (address: string, init: RequestInit) => Promise<Response>
}
