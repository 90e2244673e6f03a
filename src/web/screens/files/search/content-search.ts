const KEY = 'satchel-search-contents'

/** Whether contents are searched too; stored per tab. */
export function loadContentSearch(): boolean {
  return sessionStorage.getItem(KEY) === 'true'
}

export function saveContentSearch(contents: boolean): void {
  sessionStorage.setItem(KEY, String(contents))
}
