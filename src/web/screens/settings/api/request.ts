import type { ApiOperation, ApiRequest } from '../../../data/api-document.ts'

/** The request of a filled-in form: values that are empty are left out, and segments of a path are encoded. */
export function requestOf(
  { method, path, parameters, requestBody }: ApiOperation,
  values: Readonly<Record<string, string>>,
  { type, body }: { type: string; body: string },
): ApiRequest {
  const valueOf = (name: string): string => values[name] ?? ''
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'path' ? encodedPath(valueOf(name)) : encodeURIComponent(valueOf(name)),
  )
  const given = parameters.filter(({ name }) => valueOf(name) !== '')
  const query = new URLSearchParams(given.filter((one) => one.in === 'query').map(({ name }) => [name, valueOf(name)]))
  const headers = Object.fromEntries(given.filter((one) => one.in === 'header').map(({ name }) => [name, valueOf(name)]))
  const hasBody = requestBody !== undefined && method !== 'GET'
  return {
    method,
    path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    headers: hasBody ? { 'content-type': type, ...headers } : headers,
    body: hasBody ? body : null,
  }
}

/** Names of required parameters without a value. The path of a file may be empty: that is the root. */
export function missingIn({ parameters }: ApiOperation, values: Readonly<Record<string, string>>): string[] {
  return parameters.filter(({ name, required }) => required && name !== 'path' && (values[name] ?? '') === '').map(({ name }) => name)
}

function encodedPath(path: string): string {
  return path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
}
