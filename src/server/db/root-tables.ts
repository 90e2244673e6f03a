/** Further roots that have been used. */
export interface RootsTable {
  name: string
  /** Where its folder was when it was recorded. */
  address: string
  /** By which the folder is recognised. */
  mark: string
  first_used_at: number
}
