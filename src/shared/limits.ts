/** The product's numbers that both sides need, with their unit in the name. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024
export const MAX_JSON_BODY_BYTES = 1024 * 1024
export const MAX_SHARE_DURATION = 2_147_483_647
/** Of whatever a link counts: downloads, files, bytes, seconds. */
export const MAX_SHARE_COUNT = 999_999_999_999_999
export const MAX_SHARE_TITLE_CHARS = 120
export const MAX_SHARE_MESSAGE_CHARS = 2000
export const MAX_SHARE_TYPES = 50
export const MAX_SENDER_CHARS = 100
export const MAX_NOTE_CHARS = 1000
export const MAX_FAVOURITES = 200
/** Files that are remembered as recent; also how many may be told of at once. */
export const MAX_RECENT = 50
/** Of which so many were uploaded: a folder that is sent must not push out all that somebody worked on. */
export const MAX_RECENT_UPLOADS = 20
export const UPLOAD_SLOTS = 5
/** Files up to here travel as one POST, larger ones by tus. */
export const SINGLE_POST_BYTES = 8 * 1024 * 1024
/** Files up to here travel many in one request, where so many wait that each by itself would take longer than its bytes. */
export const MAX_BULK_FILE_BYTES = 64 * 1024
export const MAX_BULK_FILES = 50
export const MAX_BULK_BYTES = 512 * 1024
/** Of the line that says what follows. */
export const MAX_BULK_HEAD_BYTES = 256 * 1024
export const BULK_FROM_FILES = 40
export const PROGRESS_EVERY_MS = 100
export const NOTICE_MS = 1000
export const CHUNK_LOAD_TIMEOUT_MS = 120_000
export const MOBILE_MAX_WIDTH_PX = 736
export const BREADCRUMB_SEGMENTS = 3
export const SEARCH_PAGE = 50
/** Longer texts are nobody's search, and each word costs time with every name. */
export const MAX_QUERY_CHARS = 512
/** A PDF, an office document or a book that is longer is not looked into; texts end at `MAX_TEXT_BYTES`. */
export const MAX_SEARCHED_DOCUMENT_BYTES = 50 * 1024 * 1024
/** What one search in contents may read, how long it may take, and how many files it may find. */
export const CONTENT_SEARCH_BYTES = 2 * 1024 ** 3
export const CONTENT_SEARCH_MS = 60_000
export const CONTENT_SEARCH_HITS = 1000
/** Of the text of a document that is shown in place of it. */
export const MAX_SHOWN_DOCUMENT_TEXT_BYTES = 512 * 1024
/** Searches in contents of one person, and of everybody, at the same time. */
export const CONTENT_SEARCHES_EACH = 2
export const CONTENT_SEARCHES = 4
/** Lines that are shown of a file, and about how many letters of a line. */
export const SNIPPETS = 3
export const SNIPPET_CHARS = 160
export const SHARE_PAGE_ITEMS = 500
export const DOUBLE_TAP_MS = 300
export const PREVIEW_HIDE_MS = 1500
export const PREVIEW_DEBOUNCE_MS = 500
export const ZOOM_MIN = 0.25
export const ZOOM_MAX = 4
export const ZOOM_STEP = 0.25
export const PINCH_MOVE_DISABLE_MS = 200
export const RESIZE_DEBOUNCE_MS = 100

/** What most file systems take as one name, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255
