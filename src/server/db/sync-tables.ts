/** Pieces of uploads that are published by a request of their own. */
export interface UploadPiecesTable {
  /** The id of the upload. */
  upload: string
  number: number
  /** Its first byte in the file. */
  at: number
  size: number
}

/** Sign-ins that a program waits for while its person signs in by a browser. */
export interface LoginFlowsTable {
  /** Of the secret that the program keeps. */
  poll_hash: string
  /** Of the secret in the address that the browser opens. */
  flow_hash: string
  /** What the program calls itself. */
  client: string
  /** From which it was begun. */
  address: string
  created_at: number
  /** Who has allowed it; null until then. */
  user_id: number | null
}
