const KEY = 'satchel-search-contents'

/** Whether whoever uses this tab wants to search in what is in files, too; a reload keeps it. */
export function wishesContents(): boolean {
  return sessionStorage.getItem(KEY) === 'true'
}

export function rememberWish(wishes: boolean): void {
  sessionStorage.setItem(KEY, String(wishes))
}
