/** An administrator looks at the files as somebody else (`viewings/viewings.ts`). */
export interface ViewingsTable {
  id: string
  /** Whose view it is. */
  user_id: number
  /** The administrator. */
  viewer_id: number
  viewer_name: string
  /** Of the administrator's sign-in: with it, the view ends. */
  family: string
  began_at: number
  /** Brought forward when it is left. */
  ends_at: number
}
