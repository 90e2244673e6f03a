/** Locks of WebDAV (RFC 4918, section 6). */
export interface DavLocksTable {
  /** A UUID: the lock token without `urn:uuid:`. */
  id: string
  /** Storage path of the node, links resolved. */
  place: string
  /** 1: everything below is locked as well (Depth: infinity). */
  deep: number
  /** 0: shared. */
  exclusive: number
  user_id: number
  /** XML: what the client says about its owner; empty if nothing. */
  owner: string
  created_at: number
  /** How long it is valid after it was made or refreshed. */
  seconds: number
  expires_at: number
}

/** Properties that clients set on files and folders (RFC 4918, section 4). */
export interface DavPropertiesTable {
  /** Storage path; the last name is not resolved if it is a link. */
  place: string
  /** The folder that it is in. */
  parent: string
  namespace: string
  name: string
  /** XML: the whole element. */
  value: string
  /** Of the node that it was set on; two, with a space between them, while a file is being replaced. Empty if unknown. */
  identity: string
  /** Who set it, and how much of it counts as theirs. */
  user_id: number
  chars: number
}

/** A MOVE or COPY that is putting something in the place of a folder: if its server dies, the folder comes back. */
export interface DavOverwritesTable {
  /** The gesture, whose entries the journal has. */
  gesture: string
  /** `move` or `copy`. */
  kind: string
  /** Storage path of what takes its place, as the journal has it. */
  origin: string
  user_id: number
  user_name: string
  /** When its server last said that it is at work; milliseconds since 1970. */
  at: number
}
